import { createSecretKey, randomBytes } from 'node:crypto';
import { dataKey } from './data-key';
import { KeyPool, type KeyStock } from './key-pool';

const HOUR_MS = 3600 * 1000;

function setup({ fewest = 100 } = {}) {
  const state = { now: 0, batches: 0, counts: [] as number[], removed: [] as string[], away: false };
  const away = async () => {
    await Promise.resolve();
    if (state.away) throw new Error('the store is away');
  };
  const stock: KeyStock = {
    make: async (count) => {
      await away();
      state.counts.push(count);
      const batch = ++state.batches;
      return Array.from({ length: count }, (_, i) => dataKey(`${batch}-${i}`, createSecretKey(randomBytes(32))));
    },
    remove: async (kids) => {
      await away();
      state.removed.push(...kids);
    },
  };
  return { state, pool: new KeyPool({ fewest, most: 100, maxAgeMs: 12 * HOUR_MS }, () => state.now, stock) };
}

async function take(pool: KeyPool, count: number): Promise<string[]> {
  const kids: string[] = [];
  for (let i = 0; i < count; i++) kids.push((await pool.takeKey()).kid);
  return kids;
}

describe('a key pool', () => {
  it('makes the first hundred once for all concurrent callers', async () => {
    const { pool, state } = setup();
    await Promise.all(Array.from({ length: 74 }, () => pool.takeKey()));
    expect(state.batches).toBe(1);
  });

  it('refills when 25 are left, not before', async () => {
    const { pool, state } = setup();
    await take(pool, 74);
    expect(state.batches).toBe(1);
    await take(pool, 1);
    await new Promise(setImmediate);
    expect(state.batches).toBe(2);
  });

  it('hands out no key twice to concurrent callers', async () => {
    const { pool } = setup();
    const keys = await Promise.all(Array.from({ length: 500 }, () => pool.takeKey()));
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(500);
  });

  it('removes keys of 12 hours', async () => {
    const { pool, state } = setup();
    await take(pool, 10);
    state.now = 12 * HOUR_MS - 1;
    expect(await take(pool, 1)).toEqual(['1-10']);
    state.now = 12 * HOUR_MS;
    expect(await take(pool, 1)).toEqual(['2-0']);
    expect(state.removed).toEqual(Array.from({ length: 89 }, (_, i) => `1-${i + 11}`));
  });

  it('makes few keys at first, twice as many while they are used, and few again once some were too old', async () => {
    const { pool, state } = setup({ fewest: 4 });
    await take(pool, 250);
    expect(state.counts).toEqual([4, 8, 16, 32, 64, 100, 100]);
    state.now = 12 * HOUR_MS;
    await take(pool, 1);
    expect(state.counts.at(-1)).toBe(4);
  });

  it('hands out again what was given back, but for keys of 12 hours and keys of another pool', async () => {
    const { pool, state } = setup();
    const key = await pool.takeKey();
    pool.giveBack(key);
    pool.giveBack(key);
    setup().pool.giveBack(key);
    expect(await take(pool, 2)).toEqual([key.kid, '1-1']);
    pool.giveBack(key);
    state.now = 12 * HOUR_MS;
    expect(await take(pool, 1)).toEqual(['2-0']);
    expect(state.removed).toContain(key.kid);
  });

  it('removes what is being made when it is emptied', async () => {
    const { pool, state } = setup({ fewest: 4 });
    await take(pool, 2);
    await pool.empty();
    expect(state.removed).toEqual(['1-2', '1-3', ...Array.from({ length: 8 }, (_, i) => `2-${i}`)]);
  });

  it('removes what waits when it is emptied; what cannot be removed is not handed out', async () => {
    const { pool, state } = setup({ fewest: 4 });
    await take(pool, 1);
    await pool.empty();
    expect(state.removed).toEqual(['1-1', '1-2', '1-3']);
    expect(await take(pool, 1)).toEqual(['2-0']);
    state.away = true;
    await pool.empty();
    state.away = false;
    expect(await take(pool, 1)).toEqual(['3-0']);
  });

  it('hands out its keys while the store is away, then fails, and recovers', async () => {
    const { pool, state } = setup();
    await take(pool, 1);
    state.away = true;
    await take(pool, 99);
    await expect(pool.takeKey()).rejects.toThrow('the store is away');
    state.away = false;
    expect(await take(pool, 1)).toEqual(['2-0']);
  });
});
