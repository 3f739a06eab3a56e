import { AgedCache, type CacheLimits } from './aged-cache';

/** An AgedCache that loads missing values, once for all concurrent callers. It does not cache absence or errors. */
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

  /** Reads the value again, once for all concurrent callers. Drops the value if it no longer exists. */
  async reload(key: string, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const value = await (this.loads.get(key) ?? this.start(key, load));
    if (value === undefined) this.cache.drop(key);
    return value;
  }

  /** Drops the value. A running load still answers its callers, but its value is not cached. */
  drop(key: string): void {
    this.cache.drop(key);
    this.loads.delete(key);
  }

  private start(key: string, read: () => Promise<V | undefined>): Promise<V | undefined> {
    // The age counts from before the read, because the value may change during it.
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
