import type { Comparison } from '@opendsr-service/replay';

/** The limit of shown differences; `--json` has more. */
export const SHOWN = 50;

/** How many documents still differ from the event log after a rebuild. */
export const leftOf = ({ differing }: Comparison): number =>
  differing.surplus + differing['beyond the log'] + differing['changed meanwhile'];

/** One line for the projection and one for each difference. */
export function comparisonLines({ projection, documents, older, differing, differences }: Comparison): string[] {
  const counts = Object.entries(differing)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`);
  const all = Object.values(differing).reduce((sum, count) => sum + count, 0);
  const shown = differences
    .slice(0, SHOWN)
    .map(({ id, kind, what }) => `  ${kind}: ${id}${what.length === 0 ? '' : ` (${what.join(', ')})`}`);
  return [
    `${projection}: ${documents} documents, ${counts.length === 0 ? 'all as in the event log' : counts.join(', ')}` +
      `${older === 0 ? '' : `; ${older} are older than the event log and were not compared`}`,
    ...shown,
    ...(all > shown.length ? [`  and ${all - shown.length} more`] : []),
  ];
}
