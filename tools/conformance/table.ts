import { VERSIONS, type ApiVersion } from '@opendsr-service/contracts';
import type { Outcome, Report, Row } from './run';

const OUTCOMES = ['passed', 'failed', 'n/a'] as const;

const WIDTH = 120;
const SIGNS: Readonly<Record<Outcome, string>> = { passed: 'passed', failed: 'FAILED', 'n/a': 'n/a' };
const ID_WIDTH = 32;
const NO_ROW = '-';

/** The report as lines of at most 120 columns: each rule once, under the section that it proves, with a column for each version. */
export function tableOf({ rows }: Pick<Report, 'rows'>): string[] {
  const versions = VERSIONS.map(({ apiVersion }) => apiVersion).filter((version) =>
    rows.some((row) => row.version === version),
  );
  const lines = [versions.map((version) => version.padEnd(8)).join('') + 'rule'];
  let heading = '';
  for (const id of new Set(rows.map((row) => row.id))) {
    const same = rows.filter((row) => row.id === id);
    const [first] = same;
    if (!first) continue;
    if (headingOf(first) !== heading) lines.push('', (heading = headingOf(first)));
    lines.push(lineOf(first, same, versions), ...same.flatMap(detailOf));
  }
  return lines;
}

const headingOf = ({ id, section, source }: Row): string =>
  `${id.split('.')[0] ?? ''}: ${section}${source === 'notes' ? ' (notes)' : ''}`;

function lineOf({ id, title }: Row, same: readonly Row[], versions: readonly ApiVersion[]): string {
  const outcomes = versions.map((version) => same.find((row) => row.version === version)?.outcome);
  return `${outcomes.map((outcome) => (outcome ? SIGNS[outcome] : NO_ROW).padEnd(8)).join('')}${id.padEnd(ID_WIDTH)} ${title}`;
}

/** Why, wrapped; a row that passed needs no words. */
function detailOf({ version, outcome, detail }: Row): string[] {
  if (detail === undefined) return [];
  const indent = ' '.repeat(16);
  return wrapped(`${version} ${SIGNS[outcome]}: ${detail}`, WIDTH - indent.length).map((line) => indent + line);
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word.slice(0, width));
  }
  return lines;
}

/** Such as `version 2.0: 118 passed, 1 failed, 2 n/a`; the last line says how many rows a longer run would decide. */
export function summaryOf({ rows, calls, left }: Report): string[] {
  const count = (version: string, outcome: Outcome) =>
    rows.filter((row) => row.version === version && row.outcome === outcome).length;
  const versions = [...new Set(rows.map(({ version }) => version))];
  const undecided = rows.filter((row) => row.undecided).length;
  return [
    ...versions.map(
      (version) =>
        `version ${version}: ${OUTCOMES.map((outcome) => `${count(version, outcome)} ${outcome}`).join(', ')}`,
    ),
    `${String(calls)} calls; ${String(left)} made-up requests remain: they started before the cancel, or --keep is set`,
    undecided === 0
      ? 'every rule that applies is decided'
      : `undecided for want of time: ${String(undecided)} (see --wait and --pending-type)`,
  ];
}
