/** What was read last, or why nothing could be. */
export interface Reading<T> {
  readonly value: T | undefined;
  /** Why the last try failed; an older value may stand beside it. */
  readonly fault: string | undefined;
  readonly readAt: Date;
  /** From here on it is read anew when it is asked for. */
  readonly freshUntil: Date;
}

export interface CachedReadingOptions<T> {
  /** `again`: somebody found fault with what was read before. Rejects with an Error whose message can be shown. */
  readonly read: (now: Date, again: boolean) => Promise<T>;
  readonly freshUntil: (value: T, now: Date) => Date;
}

/** While something cannot be had, it is tried so often. */
const RETRY_MS = 60_000;
/**
 * However often fault is found with something: it is fetched again for that after these waits at the earliest, which double while nothing newer
 * comes. So forgeries make nobody's traffic, and what was signed shortly before its certificate was published is soon believed.
 */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** After so long without fault the waits begin anew. */
const FORGOTTEN_MS = 10 * 60_000;

/** Something fetched from afar, held for all who need it: read once for all that ask meanwhile, and kept while it cannot be read anew. */
export class CachedReading<T> {
  private latest: Reading<T> | undefined;
  private reading: Promise<Reading<T>> | undefined;
  private askedAgainAt: Date | undefined;
  private waitMs = FIRST_WAIT_MS;

  constructor(private readonly options: CachedReadingOptions<T>) {}

  /** What is known, read first where nothing is or it is no longer fresh. What is fresh waits for no reading: a forgery may have asked for it, and it may be slow. */
  async current(now: Date): Promise<Reading<T>> {
    const { latest, reading } = this;
    if (latest && latest.readAt <= now && now < latest.freshUntil) return latest;
    return reading ?? this.read(now, false);
  }

  /** Something newer than `seen`, which was found wanting; `seen` itself where there is none and it is too early to ask again. */
  async newerThan(seen: Reading<T>, now: Date): Promise<Reading<T>> {
    if (this.reading) return this.reading;
    if (this.latest && this.latest !== seen) return this.latest;
    if (this.askedAgainAt && isWithin(this.waitMs, this.askedAgainAt, now)) return seen;
    const isNew = !this.askedAgainAt || !isWithin(FORGOTTEN_MS, this.askedAgainAt, now);
    this.askedAgainAt = now;
    const found = await this.read(now, true);
    this.waitMs = isNew || found.value !== seen.value ? FIRST_WAIT_MS : Math.min(2 * this.waitMs, LONGEST_WAIT_MS);
    return found;
  }

  private async read(now: Date, again: boolean): Promise<Reading<T>> {
    this.reading = this.attempt(now, again);
    this.latest = await this.reading;
    this.reading = undefined;
    return this.latest;
  }

  private async attempt(now: Date, again: boolean): Promise<Reading<T>> {
    try {
      const value = await this.options.read(now, again);
      return { value, fault: undefined, readAt: now, freshUntil: this.options.freshUntil(value, now) };
    } catch (error) {
      const fault = error instanceof Error ? error.message : 'it cannot be read';
      return { value: this.latest?.value, fault, readAt: now, freshUntil: after(now, RETRY_MS) };
    }
  }
}

export const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

const isWithin = (ms: number, from: Date, now: Date): boolean => from <= now && now < after(from, ms);
