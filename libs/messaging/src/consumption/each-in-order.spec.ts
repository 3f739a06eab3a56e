import { setTimeout as delay } from 'node:timers/promises';
import { MalformedMessage } from '@opendsr-service/contracts';
import type { LogRecord, Verdict } from '../records';
import { eachInOrder } from './each-in-order';

const record = (key: string, n: number): LogRecord => ({
  topic: 't',
  partition: 0,
  offset: String(n),
  key,
  value: Buffer.from(''),
  headers: {},
  timestampMs: 0,
});
const batch = [record('a', 0), record('b', 1), record('a', 2), record('c', 3), record('b', 4)];

describe('answering a batch record by record', () => {
  it('answers in the order of the records, each key in its own order, keys side by side', async () => {
    const begun: string[] = [];
    let running = 0;
    let most = 0;
    const verdicts = await eachInOrder(batch, async ({ key, offset }): Promise<Verdict> => {
      begun.push(key + offset);
      most = Math.max(most, ++running);
      await delay(1);
      running -= 1;
      return offset === '3' ? 'skip' : 'done';
    });
    expect(verdicts).toEqual(['done', 'done', 'done', 'skip', 'done']);
    expect([begun.indexOf('a0') < begun.indexOf('a2'), begun.indexOf('b1') < begun.indexOf('b4'), most]).toEqual([
      true,
      true,
      3,
    ]);
  });

  it('handles no more keys at once than its width', async () => {
    let running = 0;
    let most = 0;
    const count = async (): Promise<Verdict> => {
      most = Math.max(most, ++running);
      await delay(1);
      running -= 1;
      return 'done';
    };
    await eachInOrder(
      Array.from({ length: 20 }, (_, n) => record(`k${n}`, n)),
      count,
      { width: 4 },
    );
    expect(most).toBe(4);
  });

  it('begins no record but the first after its time, and answers again for the rest', async () => {
    const take = async (): Promise<Verdict> => {
      await delay(1);
      return 'done';
    };
    expect(await eachInOrder(batch, take, { width: 2, atMostMs: 0 })).toEqual([
      'done',
      'again',
      'again',
      'again',
      'again',
    ]);
    const many = Array.from({ length: 1_000 }, (_, n) => record(`k${n}`, n));
    const verdicts = await eachInOrder(many, take, { width: 1, atMostMs: 20 });
    const done = verdicts.indexOf('again');
    expect([done > 0, verdicts.every((verdict, n) => verdict === (n < done ? 'done' : 'again'))]).toEqual([true, true]);
  });

  it('parks records behind a parked record of their key without calling the handler', async () => {
    const asked: string[] = [];
    const verdicts = await eachInOrder(batch, ({ offset, key }) => {
      asked.push(offset);
      return Promise.resolve<Verdict>(key === 'a' ? { park: 'odd' } : 'done');
    });
    expect(verdicts).toEqual([{ park: 'odd' }, 'done', { park: 'follows-parked-record' }, 'done', 'done']);
    expect(asked).not.toContain('2');
  });

  it('continues with a key whose record was parked aside', async () => {
    const verdicts = await eachInOrder(batch, ({ offset }) =>
      Promise.resolve<Verdict>(offset === '0' ? { park: 'forged', aside: true } : 'done'),
    );
    expect(verdicts).toEqual([{ park: 'forged', aside: true }, 'done', 'done', 'done', 'done']);
  });

  it('parks a malformed record alone', async () => {
    const verdicts = await eachInOrder(batch, ({ key }) =>
      key === 'c' ? Promise.reject(new MalformedMessage('not-json')) : Promise.resolve<Verdict>('done'),
    );
    expect(verdicts).toEqual(['done', 'done', 'done', { park: 'not-json' }, 'done']);
  });

  it('handles several records of a key together, and one by one if that fails', async () => {
    const alone: string[] = [];
    const one = ({ key, offset }: LogRecord) => {
      alone.push(key + offset);
      return Promise.resolve<Verdict>('skip');
    };
    const seen: string[][] = [];
    const together = (outcome: () => Promise<boolean>) => (records: readonly LogRecord[]) => {
      seen.push(records.map(({ key, offset }) => key + offset));
      return outcome();
    };
    const both = [record('a', 0), record('b', 1), record('a', 2)];
    expect(await eachInOrder(both, one, { together: together(() => Promise.resolve(true)) })).toEqual([
      'done',
      'skip',
      'done',
    ]);
    expect([seen, alone]).toEqual([[['a0', 'a2']], ['b1']]);
    const throws = (): never => {
      throw new Error('malformed');
    };
    for (const outcome of [() => Promise.resolve(false), () => Promise.reject(new Error('away')), throws])
      expect(await eachInOrder(both, one, { together: together(outcome) })).toEqual(['skip', 'skip', 'skip']);
    expect(alone).toHaveLength(10);
  });

  it('throws the first other error after all running work has ended', async () => {
    let running = 0;
    const answering = eachInOrder(batch, async ({ key }): Promise<Verdict> => {
      running += 1;
      await delay(key === 'a' ? 1 : 20);
      running -= 1;
      if (key === 'a') throw new Error('first');
      return 'done';
    });
    await expect(answering).rejects.toThrow('first');
    expect(running).toBe(0);
  });
});
