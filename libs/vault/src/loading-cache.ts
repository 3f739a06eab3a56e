import { AgedCache, type CacheLimits } from './aged-cache';

/** An AgedCache that fetches what it lacks, once for all who ask at the same time. Absence and errors are not kept. */
export class LoadingCache<V> {
  private readonly cache: AgedCache<V>;
  private readonly loads = new Map<string, Promise<V | undefined>>();

  constructor(limits: CacheLimits, clock: () => number) {
    this.cache = new AgedCache(limits, clock);
  }

  async get(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    return this.cache.get(key) ?? this.loads.get(key) ?? this.start(key, load);
  }

  peek(key: string): V | undefined {
    return this.cache.get(key);
  }

  /** Reads the value again, once for all who ask at the same time; a missing value is dropped from the cache. */
  async reload(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const value = await (this.loads.get(key) ?? this.start(key, load));
    if (value === undefined) this.cache.drop(key);
    return value;
  }

  /** Forgets the value at once; a load under way is still answered to those who wait for it, but not kept. */
  drop(key: string): void {
    this.cache.drop(key);
    this.loads.delete(key);
  }

  private start(key: string, read: () => Promise<V | undefined>): Promise<V | undefined> {
    // Age counts from before the read: what the store said is no fresher than that.
    const born = this.cache.now();
    const load = read().then(
      (value) => {
        if (this.finish(key, load) && value !== undefined) this.cache.set(key, value, born);
        return value;
      },
      (error: unknown) => {
        this.finish(key, load);
        throw error;
      },
    );
    this.loads.set(key, load);
    return load;
  }

  private finish(key: string, load: Promise<V | undefined>): boolean {
    return this.loads.get(key) === load && this.loads.delete(key);
  }
}
