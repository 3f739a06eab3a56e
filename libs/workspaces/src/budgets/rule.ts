/** The stored state of a budget: `at` in milliseconds since 1970; the rule defines both. */
export interface BudgetState {
  readonly at: number;
  readonly taken: number;
}

export interface Grant {
  readonly state: BudgetState | undefined;
  readonly tokens: number;
  /** Tokens of different periods do not mix. */
  readonly period: number;
  readonly untilMs: number;
  /** Without tokens: the time until one is available. */
  readonly waitMs: number;
}

/** Pure: the same rule holds for the database and for one process alone. */
export interface BudgetRule {
  /** The most tokens that one process holds ahead of need. */
  readonly largestLease: number;
  /** `waiting`: the part of `wanted` that is used at once; a rule may grant less of the rest. */
  readonly grant: (state: BudgetState | undefined, nowMs: number, wanted: number, waiting?: number) => Grant;
  /** The state after a return; undefined: too late. Absent: no returns. */
  readonly refund?: (state: BudgetState, period: number, tokens: number) => BudgetState | undefined;
}
