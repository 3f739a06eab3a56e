import { ConfigurationError, type Table, type Values } from '@opendsr-service/config';
import type { ServiceName } from '@opendsr-service/operator-answers';
import type { Terminal } from '../command';
import { operations } from '../operations';
import { fail, ok, type Finding } from './finding';

interface Configuration<T extends Table> {
  readonly table: T;
  readonly check: (values: Values<T>) => readonly string[];
}

interface Examined {
  readonly services: readonly ServiceName[];
  /** They run as separate services, so each needs all of its settings. */
  readonly alone: boolean;
  /** Faults of the settings that the checks need. */
  readonly own: readonly string[];
}

/** Reports each fault of the environment of these services, and of the checks, once. */
export async function configurationFindings(
  { settings }: Pick<Terminal, 'settings'>,
  { services, alone, own }: Examined,
): Promise<readonly Finding[]> {
  const { gateway, request, 'callback-dispatcher': dispatcher, results, ingestion } = await operations();
  const faultsIn =
    <T extends Table>({ table, check }: Configuration<T>) =>
    () =>
      faultsOf(() => settings(table, alone ? check : undefined));
  const faultsFor: Readonly<Record<ServiceName, () => readonly string[]>> = {
    gateway: faultsIn(gateway.configuration),
    request: faultsIn(request.configuration),
    'callback-dispatcher': faultsIn(dispatcher.configuration),
    results: faultsIn(results.configuration),
    ingestion: faultsIn(ingestion.configuration),
  };
  const faults = new Map<string, string[]>();
  for (const service of services)
    for (const fault of faultsFor[service]()) faults.set(fault, [...(faults.get(fault) ?? []), service]);
  for (const fault of own) if (!faults.has(fault)) faults.set(fault, []);
  if (faults.size === 0)
    return [ok('configuration', alone ? `${services.join(', ')} can start with it` : 'every setting can be read')];
  return [...faults].map(([fault, who]) =>
    fail('configuration', who.length === 0 ? fault : `${who.join(', ')}: ${fault}`, 'see docs/configuration.md'),
  );
}

function faultsOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}
