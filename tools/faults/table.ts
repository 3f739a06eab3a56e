/** What one fault did: times in seconds after it struck. */
export interface FaultResult {
  readonly fault: string;
  readonly floorS: number;
  readonly acknowledgingS: number;
  readonly firstHopS: number;
  readonly secondHopS: number;
}

const columns = ['fault', 'server floor s', 'acks back s', 'hop 1 back s', 'hop 2 back s', 'over the floor s'];

export const overFloorS = ({ floorS, firstHopS, secondHopS }: FaultResult): number =>
  Math.max(firstHopS, secondHopS) - floorS;

/** The results as a table of plain text. */
export function tableOf(results: readonly FaultResult[]): string {
  const seconds = (value: number): string => value.toFixed(1);
  const rows = results.map((result) => [
    result.fault,
    ...[result.floorS, result.acknowledgingS, result.firstHopS, result.secondHopS, overFloorS(result)].map(seconds),
  ]);
  const widths = columns.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [columns, ...rows]
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n');
}
