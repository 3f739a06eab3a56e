import type { Comparison } from '@opendsr-service/replay';

/** So many differences are shown to people; `--json` names more. */
export const SHOWN = 50;

/**
 * How many documents are not as the log has them after a rebuild: those that the log does not explain, and those that
 * somebody changed meanwhile.
 */
export const leftOf = ({ differing }: Comparison): number =>
  differing.surplus + differing['beyond the log'] + differing['changed meanwhile'];

/** What a look at a projection found, in a line for the whole and one for each difference. */
export function comparisonLines({ projection, documents, older, differing, differences }: Comparison): string[] {
  const counts = Object.entries(differing)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}`);
  const all = Object.values(differing).reduce((sum, count) => sum + count, 0);
  const shown = differences
    .slice(0, SHOWN)
    .map(({ id, kind, what }) => `  ${kind}: ${id}${what.length === 0 ? '' : ` (${what.join(', ')})`}`);
  return [
    `${projection}: ${documents} documents, ${counts.length === 0 ? 'all as the log has them' : counts.join(', ')}${older === 0 ? '' : `; ${older} begin before the log does, and were not compared`}`,
    ...shown,
    ...(all > shown.length ? [`  and ${all - shown.length} more`] : []),
  ];
}
