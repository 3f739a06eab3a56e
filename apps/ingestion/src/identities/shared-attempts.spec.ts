import { SharedAttempts } from './shared-attempts';

describe('equal concurrent calls', () => {
  /** Attempts that end on request, in the order of their start. */
  class Tries {
    readonly shared = new SharedAttempts<number>();
    readonly begun: { readonly end: (value: number) => void; readonly fail: (error: Error) => void }[] = [];
    readonly call = (wanted = 'same') =>
      this.shared.share(wanted, () => new Promise<number>((end, fail) => this.begun.push({ end, fail })));
  }

  it('share the next attempt', async () => {
    const tries = new Tries();
    const calls = Array.from({ length: 10 }, () => tries.call());
    expect(tries.begun).toHaveLength(1);
    tries.begun[0]?.end(1);
    expect(await calls[0]).toBe(1);
    expect(tries.begun).toHaveLength(2);
    tries.begun[1]?.end(2);
    expect(await Promise.all(calls.slice(1))).toEqual(Array.from({ length: 9 }, () => 2));
  });

  it('never join an attempt that started before them', async () => {
    const tries = new Tries();
    const [first, second] = [tries.call(), tries.call()];
    tries.begun[0]?.end(1);
    await first;
    const third = tries.call();
    expect(tries.begun).toHaveLength(2);
    tries.begun[1]?.end(2);
    expect(await second).toBe(2);
    tries.begun[2]?.end(3);
    expect(await third).toBe(3);
  });

  it('continue after a failed attempt', async () => {
    const tries = new Tries();
    const [first, second] = [tries.call(), tries.call()];
    tries.begun[0]?.fail(new Error('away'));
    await expect(first).rejects.toThrow('away');
    tries.begun[1]?.end(2);
    expect(await second).toBe(2);
  });

  it('are independent of different and of later calls', async () => {
    const tries = new Tries();
    const [here, there] = [tries.call('here'), tries.call('there')];
    tries.begun[0]?.end(1);
    tries.begun[1]?.end(2);
    expect([await here, await there]).toEqual([1, 2]);
    const later = tries.call('here');
    tries.begun[2]?.end(3);
    expect(await later).toBe(3);
  });
});
