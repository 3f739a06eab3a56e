import { lookSeldom, POOL_CHECK_MS, type ConnectionPool } from './pool-checks';

/** As the driver's: looks again after 100 ms, or once a connection that was missing is open. */
class Pool implements ConnectionPool {
  poolState = 'ready';
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  looks = 0;
  opened = (): void => undefined;

  constructor(private missing: number) {}

  ensureMinPoolSize(): void {
    if (this.poolState !== 'ready') return;
    this.looks += 1;
    const lookAgain = (): void => {
      clearTimeout(this.minPoolSizeTimer);
      this.minPoolSizeTimer = setTimeout(() => this.ensureMinPoolSize(), 100);
    };
    if (this.missing === 0) return lookAgain();
    this.opened = () => {
      this.missing -= 1;
      lookAgain();
    };
  }
}

beforeEach(() => {
  lookSeldom(new Pool(0));
  jest.useFakeTimers();
});

afterEach(() => jest.useRealTimers());

it('looks at an idle pool six times a minute, however many are open', () => {
  lookSeldom(new Pool(0));
  const pool = new Pool(0);
  pool.ensureMinPoolSize();
  jest.advanceTimersByTime(60_000);
  expect(pool.looks).toBe(1 + 60_000 / POOL_CHECK_MS);
  expect(jest.getTimerCount()).toBe(1);
});

it('opens the connections that are missing one after another, without a pause', () => {
  const pool = new Pool(2);
  pool.ensureMinPoolSize();
  for (const looks of [2, 3]) {
    pool.opened();
    jest.advanceTimersByTime(100);
    expect(pool.looks).toBe(looks);
  }
});

it('looks no more at a pool that is closed or waits for its server', () => {
  const pool = new Pool(0);
  pool.ensureMinPoolSize();
  pool.poolState = 'paused';
  jest.advanceTimersByTime(10 * POOL_CHECK_MS);
  expect([pool.looks, jest.getTimerCount()]).toEqual([1, 0]);
});
