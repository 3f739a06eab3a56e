import { type Setting, SettingFault, type Table, type Values } from './setting';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration cannot be used. One line for each fault, none of which repeats a value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly holdsNoValues = true;

  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

function valueOf(
  setting: Setting<unknown>,
  text: string | undefined,
  read: Readonly<Record<string, unknown>>,
): unknown {
  // Many tools write an unset variable as an empty one.
  if (text !== undefined && text !== '') return setting.parse(text);
  if (setting.required) throw new SettingFault('must be set');
  return setting.fallback?.(read);
}

/** Reads a table into one typed object; `check` names combined faults. Throws a ConfigurationError with every fault. */
export function readSettings<T extends Table>(
  table: T,
  env: Environment,
  check: (values: Values<T>) => readonly string[] = () => [],
): Values<T> {
  const read: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries(table)) {
    try {
      read[name] = valueOf(setting, env[name], read);
    } catch (error) {
      if (!(error instanceof SettingFault)) throw error;
      faults.push(`${name}: ${error.message}`);
    }
  }
  const values = read as Values<T>;
  if (faults.length === 0) faults.push(...check(values));
  if (faults.length > 0) throw new ConfigurationError(faults);
  return values;
}
