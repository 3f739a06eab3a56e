import type { Violation } from './invariants';

/** What a child says of a world that it lived through, as a line of JSON. */
export interface WorldReport {
  readonly seed: number;
  readonly lives: number;
  readonly steps: number;
  /** How many bulk writes were done in part. */
  readonly torn: number;
  readonly violations: readonly Violation[];
  /** A hash of everything that happened: the same for the same seed. */
  readonly course: string;
  /** What happened to the first request whose life broke a rule, or everything where all was asked for. */
  readonly diary: readonly string[];
}

/** Whether a world broke one of these rules. */
export const breaksOneOf = ({ violations }: Pick<WorldReport, 'violations'>, rules: readonly string[]): boolean =>
  violations.some(({ invariant }) => rules.includes(invariant));

/** What a child is asked for. */
export interface Order {
  readonly seeds: readonly number[];
  /** It ends with the first world that breaks one of these rules. */
  readonly stopsAt: readonly string[];
  readonly wholeDiary: boolean;
}
