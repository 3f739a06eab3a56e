import { LoadingCache } from './loading-cache';

function setup() {
  const time = { now: 0 };
  const cache = new LoadingCache<string>({ maxEntries: 10, maxAgeMs: 60_000 }, () => time.now);
  return { time, cache };
}

describe('a loading cache', () => {
  it('reads once for all concurrent callers, and not again before the maximum age', async () => {
    const { cache } = setup();
    let reads = 0;
    const load = () => Promise.resolve(`value ${++reads}`);
    const values = await Promise.all([cache.get('a', load), cache.get('a', load)]);
    expect([...values, await cache.get('a', load)]).toEqual(['value 1', 'value 1', 'value 1']);
  });

  it('counts the age from before the read', async () => {
    const { cache, time } = setup();
    await cache.get('a', () => {
      time.now = 59_999;
      return Promise.resolve('old');
    });
    time.now = 60_000;
    expect(await cache.get('a', () => Promise.resolve('new'))).toBe('new');
  });

  it('caches neither absence nor an error', async () => {
    const { cache } = setup();
    expect(await cache.get('a', () => Promise.resolve(undefined))).toBeUndefined();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await cache.get('a', () => Promise.resolve('A'))).toBe('A');
  });

  it('reloads a value on request, once for all callers, and drops a missing one', async () => {
    const { cache, time } = setup();
    let reads = 0;
    const load = () => Promise.resolve(`value ${++reads}`);
    await cache.get('a', load);
    expect(cache.peek('a')).toBe('value 1');
    time.now = 59_999;
    expect(await Promise.all([cache.reload('a', load), cache.reload('a', load)])).toEqual(['value 2', 'value 2']);
    time.now = 60_000;
    expect(cache.peek('a')).toBe('value 2');
    await expect(cache.reload('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(cache.peek('a')).toBe('value 2');
    await cache.reload('a', () => Promise.resolve(undefined));
    expect(cache.peek('a')).toBeUndefined();
  });

  it('does not cache a value that was dropped during the read', async () => {
    const { cache } = setup();
    const early = cache.get('a', async () => {
      await new Promise(setImmediate);
      return 'stale';
    });
    cache.drop('a');
    expect(await early).toBe('stale');
    expect(await cache.get('a', () => Promise.resolve(undefined))).toBeUndefined();
  });
});
