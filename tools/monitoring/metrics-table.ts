import { readFileSync } from 'node:fs';
import { repository } from '../e2e/repository';
import { declared, isOurs, type Declared } from './declared/declared';

export const observabilityPath = 'docs/observability.md';

const START = /(<!-- metrics: [^\n]* -->\n)[\s\S]*?(<!-- \/metrics -->)/;
const ALL = 5;

const words = (list: readonly string[]): string => list.map((word) => `\`${word}\``).join(', ');
const row = ({ name, type, labels, services, help }: Declared): string => {
  const readBy = services.length === ALL ? 'all' : services.join(', ');
  const meaning = help.replaceAll('|', '\\|').replace(/\.?$/, '.');
  return `| \`${name}\` | ${type} | ${words(labels) || '–'} | ${readBy} | ${meaning} |`;
};

/** The table of the metrics of ours, as the code declares them. */
const table = (): string =>
  [
    '| Metric | Kind | Labels | Of | Meaning |',
    '| --- | --- | --- | --- | --- |',
    ...declared().filter(isOurs).map(row),
  ].join('\n');

/** The page with today's table in it. */
export const observabilityPage = (): string =>
  readFileSync(repository(observabilityPath), 'utf8').replace(
    START,
    (_all, start: string, end: string) => `${start}\n${table()}\n\n${end}`,
  );
