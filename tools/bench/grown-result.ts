import { alignColumns, spreadCells } from './columns';
import type { Spread } from './statistics';

/** How long creates take beside so many stored requests. */
export type GrownMeasured = readonly {
  readonly requests: number;
  readonly spread: Spread | null;
  readonly faults: readonly string[];
}[];

/** The figures as plain text; `of few`: the 99th percentile as a multiple of that beside the fewest. */
export function grownTable(form: string, measured: GrownMeasured): string {
  const few = measured[0]?.spread?.p99Ms ?? NaN;
  return alignColumns([
    ['form', 'creates beside', 'stored requests', 'p50 ms', 'p99 ms', 'of few'],
    ...measured.map(({ requests, spread }) => [
      ...[form, 'creates, at this rate', String(requests)],
      ...spreadCells(spread),
      spread ? (spread.p99Ms / few).toFixed(2) : '-',
    ]),
  ]);
}
