import type { Setting, Table } from './setting';

const defaultOf = (setting: Setting<unknown>): string =>
  setting.required ? 'must be set' : setting.shownDefault || 'none';

/** What `--help` prints: each setting with its kind, default and meaning, from the table that is read at boot. */
export function helpText(name: string, meaning: string, table: Table): string {
  const entries = Object.entries(table).map(
    ([variable, setting]) =>
      `  ${variable}  (${setting.kind}; default: ${defaultOf(setting)})\n      ${setting.meaning}`,
  );
  return [`${name}: ${meaning}`, '', 'Environment variables:', ...entries, ''].join('\n');
}
