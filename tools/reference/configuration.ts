import type { Setting, Table } from '@opendsr-service/config';
import { APPS } from '../chart/settings/apps';
import { SECTIONS, type Section } from './sections';

const HEAD = `# Configuration

Every setting of every service, with its default and its meaning. For platform engineers and the operator. \`npm run reference\` generates this page from the code, and a test compares them.

Settings are environment variables; \`--help\` of each process lists its own. An unreadable text, a number out of its bounds, or contradictory settings end the start with one line each, all at once. No line repeats a value.

- Durations are \`7d\`, \`48h\`, \`15min\`, \`5s\` or \`250ms\`; a plain number is milliseconds. Lists are separated by commas. Files are named by path, so that secrets can be mounted.
- **Read by**: \`g\` gateway, \`r\` request, \`c\` callback-dispatcher, \`s\` results, \`i\` ingestion; \`all\` is all five. \`standalone\` reads all of them, and its \`TIMING_PROFILE\` is \`sandbox\` by default. \`dsr\` reads the chapters of Kafka, MongoDB and keys, and \`TIMING_PROFILE\`; \`dsr restore\` and \`dsr projections\` also \`REQUEST_KEY_KEEP_MS\`, and \`dsr doctor\` the settings of the services whose environment it has.
- The chart has values for most of them, and takes all others by \`settings\` of a service ([its README](../docker/helm/opendsr-service/README.md)).
`;

const LETTERS: Readonly<Record<string, string>> = {
  gateway: 'g',
  request: 'r',
  'callback-dispatcher': 'c',
  results: 's',
  ingestion: 'i',
};

/** A setting, and which apps read it. */
interface Entry {
  readonly setting: Setting<unknown>;
  readonly apps: readonly string[];
}

/** Throws where two apps read one name by different rules: the reference could show only one of them. */
function entriesOf(tables: Readonly<Record<string, Table>>): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [app, table] of Object.entries(tables)) {
    for (const [name, setting] of Object.entries(table)) {
      const known = entries.get(name);
      if (known && rowOf(name, known) !== rowOf(name, { ...known, setting }))
        throw new Error(`${name} means one thing to ${app} and another to ${String(known.apps[0])}`);
      entries.set(name, { setting, apps: [...(known?.apps ?? []), app] });
    }
  }
  return entries;
}

const inCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
const defaultOf = ({ required, shownDefault }: Setting<unknown>): string =>
  required ? '**must be set**' : shownDefault && shownDefault !== 'none' ? `\`${inCell(shownDefault)}\`` : '–';
const readBy = ({ apps }: Entry): string =>
  apps.length === Object.keys(APPS).length ? 'all' : apps.map((app) => LETTERS[app] ?? app).join(' ');

const rowOf = (name: string, entry: Entry): string =>
  `| \`${name}\` | ${inCell(entry.setting.kind)} | ${defaultOf(entry.setting)} | ${inCell(entry.setting.meaning)} | ${readBy(entry)} |`;

function chapterOf({ title, intro }: Section, rows: readonly string[]): string {
  return [
    `## ${title}`,
    intro,
    '',
    '| Setting | Kind | Default | Meaning | Read by |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** The configuration reference for these apps. Throws for a setting that no chapter takes, and for a chapter that is empty. */
export function configurationText(
  tables: Readonly<Record<string, Table>> = Object.fromEntries(
    Object.entries(APPS).map(([app, { table }]) => [app, table]),
  ),
  sections = SECTIONS,
): string {
  const entries = entriesOf(tables);
  const chapters = Map.groupBy(entries, ([name]) => sections.find(({ takes }) => takes.test(name)));
  const unplaced = chapters.get(undefined)?.map(([name]) => name) ?? [];
  if (unplaced.length > 0) throw new Error(`no chapter of tools/reference/sections.ts takes ${unplaced.join(', ')}`);
  return [
    HEAD,
    ...sections.map((section) =>
      chapterOf(
        section,
        (chapters.get(section) ?? []).map(([name, entry]) => rowOf(name, entry)),
      ),
    ),
  ].join('\n');
}
