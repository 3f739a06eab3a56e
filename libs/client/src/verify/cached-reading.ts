/** The last value, or its fault. */
export interface Reading<T> {
  readonly value: T | undefined;
  /** An older value may be present too. */
  readonly fault: string | undefined;
  readonly readAt: Date;
  readonly freshUntil: Date;
}

interface CachedReadingOptions<T> {
  /** `again`: the previous value was faulty. Rejects with an Error whose message may be shown. */
  readonly read: (now: Date, again: boolean) => Promise<T>;
  readonly freshUntil: (value: T, now: Date) => Date;
}

const RETRY_MS = 60_000;
/** Waits between reads after a faulty value; they double until a newer value arrives, which limits traffic by forgeries. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const FORGOTTEN_MS = 10 * 60_000;

/** Concurrent callers share one read, and a failed read keeps the old value. */
export class CachedReading<T> {
  private latest: Reading<T> | undefined;
  private reading: Promise<Reading<T>> | undefined;
  private askedAgainAt: Date | undefined;
  private waitMs = FIRST_WAIT_MS;

  constructor(private readonly options: CachedReadingOptions<T>) {}

  /** Reads an unknown or expired value; a fresh one needs no read. */
  async current(now: Date): Promise<Reading<T>> {
    const { latest, reading } = this;
    if (latest && latest.readAt <= now && now < latest.freshUntil) return latest;
    return reading ?? this.read(now, false);
  }

  /** Reads a newer value than the faulty `seen`; returns `seen` if it is too early. */
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
