import { alignColumns } from './columns';
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

interface FormConsole {
  readonly form: string;
  readonly console: ConsoleMeasured;
}

/** The figures as plain text. */
export function consoleTablesOf(forms: readonly FormConsole[]): string[] {
  if (forms.length === 0) return [];
  const calls = [
    ['form', 'a call of an operator', 'requests stored', 'operators', 'p50 ms', 'p99 ms'],
    ...forms.flatMap(({ form, console: { requests, operators, calls: measured } }) =>
      Object.entries(measured).map(([name, spread]) => [
        ...[form, name, String(requests), String(operators)],
        ...[spread?.p50Ms.toFixed(1) ?? '-', spread?.p99Ms.toFixed(1) ?? '-'],
      ]),
    ),
  ];
  const beside = [
    ['form', 'beside operators', 'a second alone', 'beside', 'of alone', 'CPU ms of one alone', 'beside'],
    ...forms.flatMap(({ form, console: measured }) =>
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
