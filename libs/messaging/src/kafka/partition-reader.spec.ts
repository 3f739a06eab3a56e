import type { EachBatchPayload } from 'kafkajs';
import { ChunkSizer } from '../consumption/chunk-sizer';
import { silentLogger } from '../consumption/silent-logger';
import type { LogRecord, Verdict } from '../records';
import { MemoryParking } from '../testing/memory-parking';
import { until } from '../testing/until';
import { COMMIT_AGAIN_MS, COMMIT_EVERY_MS, PartitionReader } from './partition-reader';

const refused = (type: string) => Object.assign(new Error(type), { name: 'KafkaJSProtocolError', type });

/** What kafkajs hands over, as far as the reader uses it. */
function batchOf(partition: number, count: number, commit: (offset: string) => Promise<void>): EachBatchPayload {
  const messages = Array.from({ length: count }, (_, n) => ({
    key: Buffer.from(`k${n}`),
    value: Buffer.from(String(n)),
    headers: {},
    offset: String(n),
    timestamp: '0',
    attributes: 0,
  }));
  const payload = {
    batch: { topic: 'topic', partition, messages, lastOffset: () => String(count - 1) },
    resolveOffset: () => undefined,
    heartbeat: () => Promise.resolve(),
    commitOffsetsIfNecessary: ({ topics }: { topics: { partitions: { offset: string }[] }[] }) =>
      commit(topics.flatMap(({ partitions }) => partitions.map(({ offset }) => offset)).join()),
    pause: () => () => undefined,
    isRunning: () => true,
    isStale: () => false,
  };
  return payload as unknown as EachBatchPayload;
}

describe('reading the batches of a partition', () => {
  const calls: number[] = [];
  const committed: string[] = [];
  let answer: (records: readonly LogRecord[]) => Promise<readonly Verdict[]>;
  let pace: ChunkSizer;
  let reported: string[];
  let reader: PartitionReader;
  let parking: MemoryParking;
  const allDone = (records: readonly LogRecord[]) => Promise.resolve(records.map(() => 'done' as const));
  const commit = (offset: string) => {
    committed.push(offset);
    return Promise.resolve();
  };

  beforeEach(() => {
    [calls.length, committed.length, reported] = [0, 0, []];
    answer = allDone;
    pace = new ChunkSizer(500, 3_000);
    parking = new MemoryParking();
    const handle = (records: readonly LogRecord[]) => {
      calls.push(records.length);
      return answer(records);
    };
    reader = new PartitionReader({
      handling: {
        group: 'g',
        handle,
        parking,
        isInfrastructureError: () => false,
        logger: silentLogger,
      },
      topicName: (name) => name,
      chunkSizerOf: () => pace,
      onHandled: () => reported.push('handled'),
      onCommitted: () => reported.push('committed'),
    });
    reader.onJoined();
  });
  // Otherwise what a test left settled would be committed in the next one, a quarter of a second later.
  afterEach(() => reader.end());

  it('says at each join that other partitions may be its own now', () => {
    reader.onJoined();
    expect(parking.assignments).toBe(2);
  });

  it('hands out chunks of the size that the sizer allows, and commits all of them at once', async () => {
    await reader.readBatch(batchOf(0, 100, commit));
    expect(reported).toEqual(['handled', 'handled', 'handled']);
    await reader.commitSettled();
    expect([calls, committed, reported.at(-1)]).toEqual([[16, 32, 52], ['100'], 'committed']);
  });

  it('commits the positions of all partitions together, a quarter of a second after the first was settled', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
    try {
      await reader.readBatch(batchOf(0, 10, commit));
      await reader.readBatch(batchOf(1, 20, commit));
      await jest.advanceTimersByTimeAsync(COMMIT_EVERY_MS - 1);
      expect(committed).toEqual([]);
      await jest.advanceTimersByTimeAsync(1);
      expect(committed).toEqual(['10,20']);
      await jest.advanceTimersByTimeAsync(COMMIT_EVERY_MS);
      expect(committed).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });

  it('commits a second later what could not be committed, and nothing while nothing is settled', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
    try {
      let asked = 0;
      const flaky = (offset: string) => (asked++ === 0 ? Promise.reject(refused('REQUEST_TIMED_OUT')) : commit(offset));
      await reader.readBatch(batchOf(0, 10, flaky));
      await jest.advanceTimersByTimeAsync(COMMIT_EVERY_MS + COMMIT_AGAIN_MS - 1);
      expect([asked, committed]).toEqual([1, []]);
      await jest.advanceTimersByTimeAsync(1);
      expect(committed).toEqual(['10']);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('hands out smaller chunks after one that took long', async () => {
    pace = new ChunkSizer(500, 0);
    await reader.readBatch(batchOf(0, 18, commit));
    expect(calls).toEqual([16, 1, 1]);
  });

  it('hands out the unfinished rest of a chunk again, and continues behind the settled records', async () => {
    answer = (records) => Promise.resolve(records.map((_, n) => (n < 3 ? 'done' : 'again')));
    await reader.readBatch(batchOf(0, 7, commit));
    await reader.commitSettled();
    expect([calls, committed]).toEqual([[7, 4, 1], ['7']]);
  });

  it('begins no chunk of any partition after the start of a rebalance, until it has joined again', async () => {
    const moving = () => Promise.reject(refused('REBALANCE_IN_PROGRESS'));
    answer = (records) => reader.commitSettled().then(() => allDone(records));
    await expect(reader.readBatch(batchOf(0, 100, moving))).rejects.toMatchObject({ type: 'REBALANCE_IN_PROGRESS' });
    await expect(reader.readBatch(batchOf(1, 100, commit))).rejects.toMatchObject({ type: 'REBALANCE_IN_PROGRESS' });
    expect([calls, committed]).toEqual([[16, 32], []]);
    reader.onJoined();
    await reader.readBatch(batchOf(1, 10, commit));
    await reader.commitSettled();
    expect(committed).toEqual(['10']);
  });

  describe('with a handler that takes longer than the group waits', () => {
    let beats: number;
    let go: () => void;
    let reading: Promise<unknown>;
    const slow = (records: readonly LogRecord[]) =>
      new Promise<void>((resolve) => (go = resolve)).then(() => allDone(records));
    const readWith = (type: string): void => {
      const payload = batchOf(1, 10, commit);
      payload.heartbeat = () => Promise.reject(refused((beats++, type)));
      reading = reader.readBatch(payload).catch((error: unknown) => error);
    };

    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
      beats = 0;
      answer = slow;
    });

    afterEach(() => jest.useRealTimers());

    it('continues its heartbeats during a rebalance', async () => {
      readWith('REBALANCE_IN_PROGRESS');
      await jest.advanceTimersByTimeAsync(5_000);
      expect(beats).toBe(5);
      go();
      expect(await reading).toMatchObject({ type: 'REBALANCE_IN_PROGRESS' });
    });

    it.each(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION'])(
      'sends no heartbeat and no commit once the group has continued without it: %s',
      async (type) => {
        answer = allDone;
        let asked = 0;
        await reader.readBatch(batchOf(0, 10, () => Promise.reject(refused((asked++, 'REQUEST_TIMED_OUT')))));
        answer = slow;
        readWith(type);
        await jest.advanceTimersByTimeAsync(5_000);
        await reader.commitSettled();
        expect([beats, asked]).toEqual([1, 1]);
        go();
        expect(await reading).toMatchObject({ type });
      },
    );

    it('sends heartbeats again after it has joined again', async () => {
      readWith('UNKNOWN_MEMBER_ID');
      await jest.advanceTimersByTimeAsync(5_000);
      go();
      await reading;
      reader.onJoined();
      readWith('REBALANCE_IN_PROGRESS');
      await jest.advanceTimersByTimeAsync(2_000);
      expect(beats).toBe(3);
      go();
      await reading;
    });
  });

  it('commits before it leaves both positions whose commit failed and those of running chunks', async () => {
    let away = true;
    const flaky = (offset: string) => (away ? Promise.reject(refused('REQUEST_TIMED_OUT')) : commit(offset));
    await reader.readBatch(batchOf(0, 10, flaky));
    away = false;
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    answer = (records) => gate.then(() => allDone(records));
    const running = reader.readBatch(batchOf(1, 100, commit));
    await reader.leave();
    expect(committed).toEqual(['10']);
    go();
    await running;
    expect([calls, committed]).toEqual([
      [10, 16],
      ['10', '16'],
    ]);
  });

  describe('while a commit waits for its answer', () => {
    let accept: () => void;
    let refuse: (error: Error) => void;
    let committing: Promise<void>;

    beforeEach(async () => {
      let waiting = false;
      const gate = new Promise<void>((resolve, reject) => ([accept, refuse] = [resolve, reject]));
      const wait = (offset: string) => {
        waiting = true;
        return gate.then(() => commit(offset));
      };
      await reader.readBatch(batchOf(0, 10, wait));
      committing = reader.commitSettled();
      await until(() => waiting);
    });

    it('sends the next commit after it, with the positions that were settled meanwhile', async () => {
      await reader.readBatch(batchOf(0, 20, commit));
      await reader.readBatch(batchOf(1, 30, commit));
      const next = reader.commitSettled();
      await new Promise((resolve) => setImmediate(resolve));
      expect(committed).toEqual([]);
      accept();
      await Promise.all([committing, next]);
      expect(committed).toEqual(['10', '20,30']);
    });

    it('does not repeat the failed commit after a rebalance', async () => {
      reader.onJoined();
      refuse(refused('REQUEST_TIMED_OUT'));
      await committing;
      await reader.commitSettled();
      expect(committed).toEqual([]);
    });

    it('reports its refusal to kafkajs, also if the member has joined again meanwhile', async () => {
      let go = (): void => undefined;
      const gate = new Promise<void>((resolve) => (go = resolve));
      answer = (records) => gate.then(() => allDone(records));
      const joining = (): Promise<void> => {
        reader.onJoined();
        return Promise.resolve();
      };
      const reading = expect(reader.readBatch(batchOf(2, 10, joining))).rejects.toMatchObject({
        type: 'REBALANCE_IN_PROGRESS',
      });
      refuse(refused('REBALANCE_IN_PROGRESS'));
      await committing;
      go();
      await reading;
    });
  });

  it('pauses the fetches of a partition once it leaves, also with a batch of it in hand', async () => {
    const paused: number[] = [];
    const pausing = (partition: number) => ({
      ...batchOf(partition, 100, commit),
      pause: () => {
        paused.push(partition);
        return () => undefined;
      },
    });
    await reader.readBatch(pausing(0));
    expect(paused).toEqual([]);
    const running = reader.readBatch(pausing(1));
    await reader.leave();
    await running;
    await reader.readBatch(pausing(2));
    expect(paused).toEqual([1, 2]);
  });

  it('commits nothing after its end, and nothing of a batch from before a rebalance', async () => {
    answer = (records) => {
      reader.onJoined();
      return allDone(records);
    };
    await reader.readBatch(batchOf(0, 10, commit));
    answer = (records) => {
      reader.end();
      return allDone(records);
    };
    await reader.readBatch(batchOf(0, 10, commit));
    expect([calls, committed]).toEqual([[10, 10], []]);
  });
});
