import type { Owner } from './owner';

/**
 * How a step goes: done; not done and said so; done, and its asker hears an error; not done yet, and its asker hears an
 * error; done in part, and its asker hears an error or dies.
 */
export type Fate = 'done' | 'refused' | 'lost' | 'late' | 'torn';

/** Something that a process asks of the world outside of it. Nothing else happens while one is done. */
export interface Work<T> {
  /** For the diary of a world. */
  readonly what: string;
  /** The ways in which it may go wrong. */
  readonly mayBe: readonly Exclude<Fate, 'done'>[];
  readonly run: (fate: Fate) => T | Promise<T>;
  /** Whether it can be done now; a step that waits for a record cannot. Default: always. */
  readonly isReady?: () => boolean;
  /** Time does not pass this while it can be done: the time limit of the real call; milliseconds. */
  readonly patienceMs?: number;
}

/** A step that waits for its turn. */
export interface Step {
  readonly owner: Owner;
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly dueMs: number;
}

/** Where processes hand in what they ask of the world. */
export interface Gate {
  /** Settles when its turn has come; never for a process that dies before. */
  enter<T>(owner: Owner, work: Work<T>): Promise<T>;
}
