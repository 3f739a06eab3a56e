import { alignColumns, spreadCells, type OfForm } from './columns';
import type { Spread } from './statistics';

/** A rate of work and what it costs, without and with operators who read beside it. */
export interface BesideOperators {
  readonly alone: { readonly perSecond: number; readonly cpuMs: number | undefined };
  readonly beside: { readonly perSecond: number; readonly cpuMs: number | undefined };
}

/** What operators get while many requests are stored, and what it costs controllers. */
export interface ConsoleMeasured {
  readonly requests: number;
  readonly operators: number;
  /** How often each operator calls. */
  readonly everyMs: number;
  /** How long each call takes, by its name. */
  readonly calls: Readonly<Record<string, Spread | null>>;
  readonly creates: BesideOperators;
  readonly lives: BesideOperators;
  readonly faults: readonly string[];
}

/** The figures as plain text. */
export function consoleTablesOf(forms: readonly OfForm<ConsoleMeasured>[]): string[] {
  if (forms.length === 0) return [];
  const calls = [
    ['form', 'a call of an operator', 'requests stored', 'operators', 'p50 ms', 'p99 ms'],
    ...forms.flatMap(({ form, measured: { requests, operators, calls: lasted } }) =>
      Object.entries(lasted).map(([name, spread]) => [
        ...[form, name, String(requests), String(operators)],
        ...spreadCells(spread),
      ]),
    ),
  ];
  const beside = [
    ['form', 'beside operators', 'a second alone', 'beside', 'of alone', 'CPU ms of one alone', 'beside'],
    ...forms.flatMap(({ form, measured }) =>
      (['creates', 'lives'] as const).map((name) => {
        const { alone, beside: other } = measured[name];
        return [
          ...[form, name, alone.perSecond.toFixed(0), other.perSecond.toFixed(0)],
          (other.perSecond / alone.perSecond).toFixed(3),
          ...[alone.cpuMs?.toFixed(2) ?? '-', other.cpuMs?.toFixed(2) ?? '-'],
        ];
      }),
    ),
  ];
  return [alignColumns(calls), alignColumns(beside)];
}
