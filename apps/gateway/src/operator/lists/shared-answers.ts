import type { Clock } from '@opendsr-service/service';
import type { Reach } from '../access/reach';

/** An answer is made anew once it is older. */
export const FRESH_MS = 1_000;
/** One that takes long is made so seldom that this is all of the time that it takes, but never more seldom than `MOST_FRESH_MS`. */
const SHARE_OF_TIME = 1 / 20;
export const MOST_FRESH_MS = 3_000;
/** While that happens the old one is given, until it is so old. */
export const LONGEST_MS = 4_000;

/** An answer, and when it was begun: nothing that happened before is missing in it. */
interface Dated<A> {
  readonly answer: A;
  readonly at: Date;
}

interface Kept<A> {
  readonly answer: Promise<Dated<A>>;
  readonly atMs: number;
  /** How old it may be before a newer one is made; without a limit while it is made itself. */
  freshMs: number;
}

/** Answers that are the same for all operators who reach the same workspaces: each is made once for all who ask meanwhile. */
export class SharedAnswers<A> {
  private readonly kept = new Map<string, Kept<A>>();
  /** The newer answers that are being made. */
  private readonly renewing = new Map<string, Kept<A>>();

  constructor(private readonly clock: Clock) {}

  /** An answer that is at most four seconds old, or is still being made. One that failed is given to nobody who asks later. */
  get(reached: Reach, make: () => Promise<A>): Promise<Dated<A>> {
    const nowMs = this.clock.now().getTime();
    for (const [key, { atMs, freshMs }] of this.kept)
      if (nowMs - atMs > Math.max(LONGEST_MS, freshMs)) this.kept.delete(key);
    const key = JSON.stringify(reached);
    const known = this.kept.get(key);
    if (!known) return this.keep(key, this.renewing.get(key) ?? this.begin(make));
    if (nowMs - known.atMs > known.freshMs) this.renew(key, make);
    return known.answer;
  }

  private renew(key: string, make: () => Promise<A>): void {
    if (this.renewing.has(key)) return;
    const begun = this.begin(make);
    this.renewing.set(key, begun);
    void begun.answer
      .then(() => void this.keep(key, begun))
      .catch(() => undefined)
      .finally(() => this.renewing.delete(key));
  }

  private begin(make: () => Promise<A>): Kept<A> {
    const at = this.clock.now();
    const kept: Kept<A> = {
      answer: make().then((answer) => {
        const tookMs = this.clock.now().getTime() - at.getTime();
        kept.freshMs = Math.min(MOST_FRESH_MS, Math.max(FRESH_MS, tookMs / SHARE_OF_TIME));
        return { answer, at };
      }),
      atMs: at.getTime(),
      freshMs: Infinity,
    };
    return kept;
  }

  private keep(key: string, kept: Kept<A>): Promise<Dated<A>> {
    this.kept.set(key, kept);
    kept.answer.catch(() => {
      if (this.kept.get(key) === kept) this.kept.delete(key);
    });
    return kept.answer;
  }
}
