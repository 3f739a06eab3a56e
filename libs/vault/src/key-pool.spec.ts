import { createSecretKey, randomBytes } from 'node:crypto';
import { dataKey, type DataKey } from './data-key';
import { KeyPool } from './key-pool';

const HOUR_MS = 3600 * 1000;

function setup() {
  const state = { now: 0, batches: 0, away: false };
  const make = async (): Promise<DataKey[]> => {
    await Promise.resolve();
    if (state.away) throw new Error('the store is away');
    const batch = ++state.batches;
    return Array.from({ length: 100 }, (_, i) => dataKey(`${batch}-${i}`, createSecretKey(randomBytes(32))));
  };
  return { state, pool: new KeyPool({ refillAt: 25, maxAgeMs: 12 * HOUR_MS }, () => state.now, make) };
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

  it('discards keys of 12 hours', async () => {
    const { pool, state } = setup();
    await take(pool, 10);
    state.now = 12 * HOUR_MS - 1;
    expect(await take(pool, 1)).toEqual(['1-10']);
    state.now = 12 * HOUR_MS;
    expect(await take(pool, 1)).toEqual(['2-0']);
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
