import { KEY_CACHE_MS } from './key-cache-ms';

/** How far the rotation of workspace keys has come: one document in the `keys` database. */
export interface GenerationState {
  /** Wraps new keys. */
  readonly current: number;
  /** Secrets up to this one are destroyed. */
  readonly gone: number;
  readonly turnedAt: Date;
  /** Complete passes over all data keys since the turn. */
  readonly passes: number;
  /** The last key that the unfinished pass has handled. */
  readonly cursor?: string;
}

export interface RotationTimes {
  readonly everyMs: number;
  /** How long the old secret is kept after a turn. */
  readonly keepMs: number;
}

type RotationStep = { readonly name: 'pass' | 'destroy' | 'turn' } | { readonly name: 'rest'; readonly until: Date };

/** The first wraps what was on its way at the turn; the second proves that nothing is left. */
const PASSES = 2;

interface Due {
  readonly name: 'pass' | 'destroy' | 'turn';
  readonly afterMs: number;
}

/**
 * A turn is final for new keys at once; a pass waits as long as a process or a lagging read may still act on the state
 * before.
 */
function dueStep({ current, gone, passes }: GenerationState, { everyMs, keepMs }: RotationTimes): Due {
  if (gone >= current - 1) return { name: 'turn', afterMs: everyMs };
  if (passes === 0) return { name: 'pass', afterMs: KEY_CACHE_MS };
  return { name: passes < PASSES ? 'pass' : 'destroy', afterMs: Math.max(KEY_CACHE_MS, keepMs) };
}

/** When the next step of a rotation is due, whichever process tried the last. */
export const stepDueAt = (state: GenerationState, times: RotationTimes): Date =>
  new Date(state.turnedAt.getTime() + dueStep(state, times).afterMs);

/** The next step of a rotation. */
export function nextStep(state: GenerationState, now: Date, times: RotationTimes): RotationStep {
  const until = stepDueAt(state, times);
  return now >= until ? { name: dueStep(state, times).name } : { name: 'rest', until };
}

/** From 0 to 1. `handled`: the share of the unfinished pass that is behind its cursor. */
export function passedRatio({ current, gone, passes }: GenerationState, handled: number): number {
  if (gone >= current - 1) return 1;
  return Math.min(1, (passes + handled) / PASSES);
}
