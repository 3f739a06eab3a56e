import type { Violation } from './invariants';

/** What a child says of a world that it lived through, as a line of JSON. */
export interface WorldReport {
  readonly seed: number;
  readonly lives: number;
  readonly steps: number;
  readonly violations: readonly Violation[];
  /** A hash of everything that happened: the same for the same seed. */
  readonly course: string;
  /** What happened to the first request whose life broke a rule, or everything where all was asked for. */
  readonly diary: readonly string[];
}

/** What a child is asked for. */
export interface Order {
  readonly seeds: readonly number[];
  /** Whether it ends with the first world that breaks a rule. */
  readonly stopsAtViolation: boolean;
  readonly wholeDiary: boolean;
}
