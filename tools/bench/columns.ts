import type { Spread } from './statistics';

/** What was measured of one form. */
export interface OfForm<T> {
  readonly form: string;
  readonly measured: T;
}

export const spreadCells = (spread: Spread | null, digits = 1): string[] =>
  [spread?.p50Ms, spread?.p99Ms].map((ms) => ms?.toFixed(digits) ?? '-');

/** Rows of cells as lines of plain text; from the third column on cells stand to the right. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
