import type { Clock } from '@opendsr-service/service';
import type { Reach } from '../access/reach';

/** How old an answer may be that several operators get. */
export const SHARED_MS = 1_000;

interface Kept<A> {
  readonly answer: Promise<A>;
  readonly untilMs: number;
}

/** Answers that are the same for all operators who reach the same workspaces: each is made once for all who ask meanwhile. */
export class SharedAnswers<A> {
  private readonly kept = new Map<string, Kept<A>>();

  constructor(private readonly clock: Clock) {}

  /** An answer that was asked for at most `SHARED_MS` ago, or a new one. One that fails is shared by nobody who comes later. */
  get(reached: Reach, make: () => Promise<A>): Promise<A> {
    const nowMs = this.clock.now().getTime();
    for (const [key, { untilMs }] of this.kept) if (untilMs < nowMs) this.kept.delete(key);
    const key = JSON.stringify(reached);
    const known = this.kept.get(key);
    if (known) return known.answer;
    const kept = { answer: make(), untilMs: nowMs + SHARED_MS };
    this.kept.set(key, kept);
    kept.answer.catch(() => {
      if (this.kept.get(key) === kept) this.kept.delete(key);
    });
    return kept.answer;
  }
}
