import { BUSY_READ_GAP_MS, BUSY_READS, BUSY_WINDOW_MS, READ_GAP_MS, ReadPace } from './read-pace';

describe('the next read may begin', () => {
  let pace: ReadPace;
  /** Waits for the next read, and answers how long that took. */
  async function gapMs(): Promise<number> {
    const began = performance.now();
    let ms: number | undefined;
    const gap = pace.gap().then(() => (ms = performance.now() - began));
    await jest.advanceTimersByTimeAsync(0);
    while (ms === undefined) await jest.advanceTimersByTimeAsync(1);
    return gap;
  }

  beforeEach(() => {
    jest.useFakeTimers();
    pace = new ReadPace();
  });
  afterEach(() => jest.useRealTimers());

  it('at once after a pause', async () => {
    expect(await gapMs()).toBe(0);
    pace.begin();
    jest.advanceTimersByTime(READ_GAP_MS);
    expect(await gapMs()).toBe(0);
  });

  it('after a gap, and after a longer one while records come all the time', async () => {
    pace.begin();
    for (let n = 1; n < BUSY_READS; n += 1) {
      expect(await gapMs()).toBe(READ_GAP_MS);
      pace.begin();
    }
    for (let n = 0; n < 4 * BUSY_READS; n += 1) {
      expect(await gapMs()).toBe(BUSY_READ_GAP_MS);
      pace.begin();
    }
    jest.advanceTimersByTime(BUSY_WINDOW_MS);
    pace.begin();
    expect(await gapMs()).toBe(READ_GAP_MS);
  });

  it('after the shorter gap where the last read left records behind', async () => {
    for (let n = 0; n < 4 * BUSY_READS; n += 1) {
      pace.begin();
      pace.catchUp();
      expect(await gapMs()).toBe(READ_GAP_MS);
    }
  });

  it('at once when the reader ends', async () => {
    const ended = new AbortController();
    pace.begin();
    const gap = pace.gap(ended.signal);
    ended.abort();
    await gap;
  });
});
