import type { Outcome } from '../world';

/** A rule that a world broke, and whose life shows it. */
export interface Violation {
  readonly invariant: string;
  readonly srid: string;
  readonly what: string;
}

/** What must hold of every world, under its name. */
export interface Invariant {
  readonly name: string;
  readonly check: (outcome: Outcome) => readonly Omit<Violation, 'invariant'>[];
}
