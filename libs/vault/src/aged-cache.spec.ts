import { AgedCache } from './aged-cache';

const still = () => 0;

describe('an aged cache', () => {
  it('returns a value until its maximum age, which reads do not extend', () => {
    let now = 0;
    const cache = new AgedCache<string>({ maxEntries: 2, maxAgeMs: 60 }, () => now, still);
    cache.set('a', 'A');
    now = 59;
    expect(cache.get('a')).toBe('A');
    now = 60;
    expect(cache.get('a')).toBeUndefined();
  });

  it('evicts the least recently used value when full', () => {
    const cache = new AgedCache<string>({ maxEntries: 2, maxAgeMs: 60 }, () => 0, still);
    cache.set('a', 'A');
    cache.set('b', 'B');
    cache.get('a');
    cache.set('c', 'C');
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C']);
  });

  it('keeps no value longer because the clock was set back', () => {
    const time = { now: 3_600_000, elapsed: 0 };
    const cache = new AgedCache<string>(
      { maxEntries: 2, maxAgeMs: 60 },
      () => time.now,
      () => time.elapsed,
    );
    cache.set('a', 'A');
    time.now = 0;
    time.elapsed = 59;
    expect(cache.get('a')).toBe('A');
    time.elapsed = 60;
    expect(cache.get('a')).toBeUndefined();
  });
});
