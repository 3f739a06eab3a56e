/** What is written down of a budget. `at` is a time in milliseconds since 1970; what each number means is the rule's own affair. */
export interface BudgetState {
  readonly at: number;
  readonly taken: number;
}

/** What a budget gives when it is asked for tokens. */
export interface Grant {
  /** What must be written down for the tokens to be the asker's; undefined where there are none. */
  readonly state: BudgetState | undefined;
  /** As many as were wanted, or fewer; 0: none. */
  readonly tokens: number;
  /** What the tokens count for: those of one period can be neither added to those of another nor put back into it. */
  readonly period: number;
  /** When unused tokens are worth nothing any more. */
  readonly untilMs: number;
  /** Without tokens: how long until there is one again, if nobody else takes it. */
  readonly waitMs: number;
}

/** How a budget is spent: pure, so that it holds for what the database keeps as well as for one process alone. */
export interface BudgetRule {
  /** The most tokens that one process holds ahead of need. */
  readonly largestLease: number;
  /** `waiting`: how many of the wanted are used as soon as they come. A rule may be sparing with the others. */
  readonly grant: (state: BudgetState | undefined, nowMs: number, wanted: number, waiting?: number) => Grant;
  /** The state after tokens of a period came back unused; undefined where it is too late for them. Absent: nothing comes back. */
  readonly refund?: (state: BudgetState, period: number, tokens: number) => BudgetState | undefined;
}
