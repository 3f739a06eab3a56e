export interface CacheLimits {
  readonly maxEntries: number;
  readonly maxAgeMs: number;
}

/** Keeps at most `maxEntries` values, the least recently used leaves first, none is answered `maxAgeMs` after its birth. */
export class AgedCache<V> {
  private readonly entries = new Map<string, { value: V; bornAt: number }>();

  constructor(
    private readonly limits: CacheLimits,
    private readonly clock: () => number,
  ) {}

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    if (this.clock() - entry.bornAt >= this.limits.maxAgeMs) return undefined;
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, bornAt = this.clock()): void {
    this.entries.delete(key);
    this.entries.set(key, { value, bornAt });
    const oldest = this.entries.keys().next();
    if (this.entries.size > this.limits.maxEntries && !oldest.done) this.entries.delete(oldest.value);
  }

  drop(key: string): void {
    this.entries.delete(key);
  }
}
