import type { Message } from 'kafkajs';
import { until } from '../testing/until';
import { PartitionQueue } from './partition-queue';
import { SendLimiter } from './send-limiter';

class Link {
  readonly sends: { readonly values: readonly string[]; readonly answer: (error?: Error) => void }[] = [];
  readonly settled: string[] = [];

  readonly queue = new PartitionQueue({
    send: (messages: Message[]) =>
      new Promise((resolve, reject) => {
        const answer = (error?: Error) => (error ? reject(error) : resolve());
        this.sends.push({ values: messages.map(({ value }) => String(value)), answer });
      }),
    limiter: new SendLimiter(),
    onSent: (batch, error) => batch.forEach(({ settle }) => settle(error)),
    clock: () => this.nowMs,
  });
  nowMs = 0;

  push(values: readonly string[], bytes = 1): void {
    this.queue.push(
      values.map((value) => ({
        message: { value },
        bytes,
        settle: (error) => void this.settled.push(error ? `${value}!` : value),
      })),
    );
  }
}

describe('a queue of one partition', () => {
  it('has one send in flight, and then sends the records that came meanwhile, in their order', async () => {
    const link = new Link();
    link.push(['a', 'b']);
    await until(() => link.sends.length === 1);
    link.push(['c']);
    link.push(['d']);
    expect(link.sends.map(({ values }) => values)).toEqual([['a', 'b']]);
    link.sends[0]?.answer();
    await until(() => link.sends.length === 2);
    expect([link.sends[1]?.values, link.settled]).toEqual([
      ['c', 'd'],
      ['a', 'b'],
    ]);
  });

  it('keeps a batch below the limit of a broker', async () => {
    const link = new Link();
    link.push(['a', 'b', 'c'], 200 * 1024);
    await until(() => link.sends.length === 1);
    link.sends[0]?.answer();
    await until(() => link.sends.length === 2);
    expect(link.sends.map(({ values }) => values)).toEqual([['a', 'b'], ['c']]);
  });

  it('is stuck while a send takes too long, and not while it is idle', async () => {
    const link = new Link();
    link.push(['a']);
    await until(() => link.sends.length === 1);
    link.nowMs += 999;
    expect(link.queue.isStuck(1_000)).toBe(false);
    link.nowMs += 1;
    expect(link.queue.isStuck(1_000)).toBe(true);
    link.sends[0]?.answer();
    await until(() => link.settled.length === 1);
    link.nowMs += 60_000;
    expect(link.queue.isStuck(1_000)).toBe(false);
  });

  it('rejects the records of a failed batch, and continues', async () => {
    const link = new Link();
    link.push(['a']);
    await until(() => link.sends.length === 1);
    link.push(['b']);
    link.sends[0]?.answer(new Error('rejected'));
    await until(() => link.sends.length === 2);
    link.sends[1]?.answer();
    await until(() => link.settled.length === 2);
    expect(link.settled).toEqual(['a!', 'b']);
  });
});
