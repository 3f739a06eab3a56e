import { LRUCache } from 'lru-cache';

export interface CacheLimits {
  readonly maxEntries: number;
  readonly maxAgeMs: number;
}

interface Instant {
  readonly atMs: number;
  readonly elapsedMs: number;
}

interface Entry<V> {
  readonly value: V;
  readonly born: Instant;
}

/** An LRU cache with a maximum age. The larger age of two clocks counts, because one may be set back. */
export class AgedCache<V> {
  private readonly entries: LRUCache<string, Entry<V>>;

  constructor(
    private readonly limits: CacheLimits,
    private readonly clock: () => number,
    private readonly elapsed = () => performance.now(),
  ) {
    // With `max` it would allocate all entries at once.
    this.entries = new LRUCache({ maxSize: limits.maxEntries, sizeCalculation: () => 1 });
  }

  now(): Instant {
    return { atMs: this.clock(), elapsedMs: this.elapsed() };
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (this.ageMs(entry) < this.limits.maxAgeMs) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  set(key: string, value: V, born = this.now()): void {
    this.entries.set(key, { value, born });
  }

  drop(key: string): void {
    this.entries.delete(key);
  }

  private ageMs({ born }: Entry<V>): number {
    const { atMs, elapsedMs } = this.now();
    return Math.max(atMs - born.atMs, elapsedMs - born.elapsedMs);
  }
}
