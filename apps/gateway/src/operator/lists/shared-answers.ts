import type { Clock } from '@opendsr-service/service';
import type { Reach } from '../access/reach';

/** An answer is made anew once it is older. */
export const FRESH_MS = 1_000;
/** While that happens the old one is given, until it is so old. */
export const LONGEST_MS = 4_000;

interface Kept<A> {
  readonly answer: Promise<A>;
  /** When it was begun: nothing that happened before is missing in it. */
  readonly atMs: number;
}

/** Answers that are the same for all operators who reach the same workspaces: each is made once for all who ask meanwhile. */
export class SharedAnswers<A> {
  private readonly kept = new Map<string, Kept<A>>();
  /** Those for which a newer answer is made. */
  private readonly renewing = new Set<string>();

  constructor(private readonly clock: Clock) {}

  /** An answer that is at most four seconds old. One that failed is given to nobody who asks later. */
  get(reached: Reach, make: () => Promise<A>): Promise<A> {
    const nowMs = this.clock.now().getTime();
    for (const [key, { atMs }] of this.kept) if (nowMs - atMs > LONGEST_MS) this.kept.delete(key);
    const key = JSON.stringify(reached);
    const known = this.kept.get(key);
    if (!known) return this.keep(key, nowMs, make());
    if (nowMs - known.atMs > FRESH_MS) this.renew(key, nowMs, make);
    return known.answer;
  }

  private renew(key: string, nowMs: number, make: () => Promise<A>): void {
    if (this.renewing.has(key)) return;
    this.renewing.add(key);
    const made = make();
    void made
      .then(() => void this.keep(key, nowMs, made))
      .catch(() => undefined)
      .finally(() => this.renewing.delete(key));
  }

  private keep(key: string, atMs: number, answer: Promise<A>): Promise<A> {
    const kept = { answer, atMs };
    this.kept.set(key, kept);
    answer.catch(() => {
      if (this.kept.get(key) === kept) this.kept.delete(key);
    });
    return answer;
  }
}
