import type { EachBatchPayload } from 'kafkajs';
import { ChunkSizer } from '../consumption/chunk-sizer';
import { silentLogger } from '../consumption/silent-logger';
import type { LogRecord, Verdict } from '../records';
import { MemoryParking } from '../testing/memory-parking';
import { until } from '../testing/until';
import { PartitionReader } from './partition-reader';

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
    commitOffsetsIfNecessary: (offsets: { topics: { partitions: { offset: string }[] }[] }) =>
      commit(offsets.topics[0]?.partitions[0]?.offset ?? ''),
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
  let told: string[];
  let reader: PartitionReader;
  const allDone = (records: readonly LogRecord[]) => Promise.resolve(records.map(() => 'done' as const));
  const commit = (offset: string) => {
    committed.push(offset);
    return Promise.resolve();
  };

  beforeEach(() => {
    [calls.length, committed.length, told] = [0, 0, []];
    answer = allDone;
    pace = new ChunkSizer(500, 3_000);
    const handle = (records: readonly LogRecord[]) => {
      calls.push(records.length);
      return answer(records);
    };
    reader = new PartitionReader({
      handling: {
        group: 'g',
        handle,
        parking: new MemoryParking(),
        isInfrastructureError: () => false,
        logger: silentLogger,
      },
      topicName: (name) => name,
      chunkSizerOf: () => pace,
      onHandled: () => told.push('handled'),
      onCommitted: () => told.push('committed'),
    });
    reader.onJoined();
  });

  it('hands out chunks of the computed size, commits after each, and reports both', async () => {
    await reader.readBatch(batchOf(0, 100, commit));
    expect([calls, committed]).toEqual([
      [16, 32, 52],
      ['16', '48', '100'],
    ]);
    expect(told).toEqual(['handled', 'committed', 'handled', 'committed', 'handled', 'committed']);
  });

  it('hands out smaller chunks where one took long', async () => {
    pace = new ChunkSizer(500, 0);
    await reader.readBatch(batchOf(0, 18, commit));
    expect([calls, committed]).toEqual([
      [16, 1, 1],
      ['16', '17', '18'],
    ]);
  });

  it('hands out again the records beyond the time of a chunk, after the settled ones', async () => {
    answer = (records) => Promise.resolve(records.map((_, n) => (n < 3 ? 'done' : 'again')));
    await reader.readBatch(batchOf(0, 7, commit));
    expect([calls, committed]).toEqual([
      [7, 4, 1],
      ['3', '6', '7'],
    ]);
  });

  it('starts no chunk during a rebalance, in any partition, until it has joined again', async () => {
    const moving = () => Promise.reject(refused('REBALANCE_IN_PROGRESS'));
    await expect(reader.readBatch(batchOf(0, 100, moving))).rejects.toMatchObject({ type: 'REBALANCE_IN_PROGRESS' });
    await expect(reader.readBatch(batchOf(1, 100, commit))).rejects.toMatchObject({ type: 'REBALANCE_IN_PROGRESS' });
    expect([calls, committed]).toEqual([[16], []]);
    reader.onJoined();
    await reader.readBatch(batchOf(1, 10, commit));
    expect(committed).toEqual(['10']);
  });

  describe('whose handler takes longer than the group waits', () => {
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
      'asks nothing more once the group has gone on without it: %s',
      async (type) => {
        answer = allDone;
        let asked = 0;
        await reader.readBatch(batchOf(0, 10, () => Promise.reject(refused((asked++, 'REQUEST_TIMED_OUT')))));
        answer = slow;
        readWith(type);
        await jest.advanceTimersByTimeAsync(5_000);
        await reader.retryCommits();
        expect([beats, asked]).toEqual([1, 1]);
        go();
        expect(await reading).toMatchObject({ type });
      },
    );

    it('sends heartbeats again after it has rejoined', async () => {
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

  it('commits what is settled before it leaves: what could not be committed, and what still runs', async () => {
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

  describe('that commits again in two partitions what it could not, and waits for the first of them', () => {
    let release: () => void;
    let away: boolean;
    let saving: Promise<void>;
    let waiting: number;

    beforeEach(async () => {
      const gate = new Promise<void>((resolve) => (release = resolve));
      const refusing = (then: (offset: string) => Promise<void>) => (offset: string) =>
        away ? Promise.reject(refused('REQUEST_TIMED_OUT')) : then(offset);
      [away, waiting] = [true, 0];
      const wait = (): Promise<void> => {
        waiting += 1;
        return gate;
      };
      await reader.readBatch(batchOf(0, 10, refusing(wait)));
      await reader.readBatch(batchOf(1, 10, refusing(commit)));
      away = false;
      saving = reader.retryCommits();
    });

    it('does not set back a position that was committed meanwhile', async () => {
      await reader.readBatch(batchOf(1, 20, commit));
      release();
      await saving;
      expect(committed).toEqual(['16', '20']);
    });

    it('sends nothing more once the group shared out its partitions', async () => {
      reader.onJoined();
      release();
      await saving;
      expect(committed).toEqual([]);
    });

    it('passes its error to kafkajs, also where the group has joined again meanwhile', async () => {
      const reading = expect(
        reader.readBatch(batchOf(2, 10, () => Promise.reject(refused('REBALANCE_IN_PROGRESS')))),
      ).rejects.toMatchObject({ type: 'REBALANCE_IN_PROGRESS' });
      await until(() => waiting === 2);
      reader.onJoined();
      release();
      await reading;
    });
  });

  it('stops fetching a partition once it leaves, also with a batch of it in hand', async () => {
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

  it('commits nothing once it is over, or of before the group shared out its partitions', async () => {
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
