/// <reference types="./kafkajs-internals" />
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import Broker from 'kafkajs/src/broker';
import Cluster from 'kafkajs/src/cluster';
import Batch from 'kafkajs/src/consumer/batch';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup';
import Runner from 'kafkajs/src/consumer/runner';
import RequestQueue from 'kafkajs/src/network/requestQueue';
import { BUSY_READ_GAP_MS, BUSY_READS, READ_GAP_MS } from '../consumption/read-pace';
import { bundle, run } from '../testing/bundled-child';
import { until } from '../testing/until';
import { patchedVersion, patchKafkajs } from './patch';

const signal = () => {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { give, given };
};

describe('the patch of kafkajs', () => {
  const methods = () => [
    RequestQueue.prototype.scheduleCheckPendingRequests,
    RequestQueue.prototype.scheduleRequestTimeoutCheck,
    ...[Cluster.prototype].flatMap((cluster) => [
      cluster.connect,
      cluster.disconnect,
      cluster.refreshMetadata,
      cluster.refreshMetadataIfNecessary,
      cluster.metadata,
      cluster.findBroker,
      cluster.findGroupCoordinatorMetadata,
    ]),
    ...[ConsumerGroup.prototype].flatMap((group) => [
      group.heartbeat,
      group.joinAndSync,
      group.recoverFromFetch,
      group.fetch,
    ]),
    ...[Runner.prototype].flatMap((runner) => [runner.fetch, runner.stop]),
  ];
  const original = methods();

  it('is made for the version that is installed', () => {
    const { version } = JSON.parse(readFileSync(require.resolve('kafkajs/package.json'), 'utf8')) as {
      version: string;
    };
    expect(version).toBe(patchedVersion);
  });

  it('finds every method that it patches', () => {
    expect(original.map((method) => typeof method)).toEqual(original.map(() => 'function'));
  });

  it('is of a kafkajs that has what a search for a key asks brokers by', () => {
    const { addMultipleTargetTopics, findTopicPartitionMetadata, findLeaderForPartitions } = Cluster.prototype;
    const { fetch, listOffsets } = Broker.prototype;
    const used = [addMultipleTargetTopics, findTopicPartitionMetadata, findLeaderForPartitions, fetch, listOffsets];
    expect(used.map((method) => typeof method)).toEqual(used.map(() => 'function'));
    const fetched = { partition: 0, highWatermark: '3', messages: [] };
    expect(new Batch('topic', '1', fetched).lastOffset()).toBe('2');
  });

  it('patches once', () => {
    patchKafkajs();
    const mended = methods();
    patchKafkajs();
    expect(methods()).toEqual(mended);
    expect(mended.filter((method, at) => method === original[at])).toEqual([]);
  });

  it('fetches from a broker again after a gap, from another one at once', async () => {
    patchKafkajs();
    const begun: string[] = [];
    const group = Object.assign(Object.create(ConsumerGroup.prototype) as ConsumerGroup, {
      cluster: {
        refreshMetadataIfNecessary: () => {
          begun.push('fetch');
          return Promise.reject(new Error('enough'));
        },
      },
      recoverFromFetch: () => Promise.resolve(),
    });
    const fetched = (node: string) => group.fetch(node).catch(() => undefined);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      await fetched('1');
      await fetched('2');
      expect(begun).toHaveLength(2);
      const again = fetched('1');
      await jest.advanceTimersByTimeAsync(READ_GAP_MS - 1);
      expect(begun).toHaveLength(2);
      await jest.advanceTimersByTimeAsync(1);
      await again;
      expect(begun).toHaveLength(3);
    } finally {
      jest.useRealTimers();
    }
  });

  it('keeps the shorter gap while a consumer is behind, and the longer one once it is not', async () => {
    patchKafkajs();
    const partition = { partition: 0, messages: [{ offset: '0' }] };
    let highWatermark = '2';
    const group = Object.assign(Object.create(ConsumerGroup.prototype) as ConsumerGroup, {
      cluster: {
        refreshMetadataIfNecessary: () => Promise.resolve(),
        findBroker: () =>
          Promise.resolve({
            fetch: () =>
              Promise.resolve({ responses: [{ topicName: 't', partitions: [{ ...partition, highWatermark }] }] }),
          }),
      },
      checkForStaleAssignment: () => undefined,
      filterPartitionsByNode: (_node: string, assigned: unknown) => assigned,
      seekOffsets: () => Promise.resolve(),
      getActiveTopicPartitions: () => ({ t: new Set([0]) }),
      subscriptionState: { assigned: () => [{ topic: 't', partitions: [0] }], isPaused: () => false },
      offsetManager: { committedOffsets: () => ({ t: { 0: '0' } }), nextOffset: () => 0 },
      seekOffset: { has: () => false },
      preferredReadReplicasPerTopicPartition: {},
    });
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      let over = 0;
      const fetchAgain = async (gapMs: number): Promise<void> => {
        const [before, next] = [over, group.fetch('1').then(() => (over += 1))];
        await jest.advanceTimersByTimeAsync(gapMs - 1);
        expect(over).toBe(before);
        await jest.advanceTimersByTimeAsync(1);
        await next;
      };
      await group.fetch('1');
      for (let n = 0; n < 2 * BUSY_READS; n += 1) await fetchAgain(READ_GAP_MS);
      highWatermark = '1';
      for (let n = 0; n < BUSY_READS - 1; n += 1) await fetchAgain(READ_GAP_MS);
      await fetchAgain(BUSY_READ_GAP_MS);
    } finally {
      jest.useRealTimers();
    }
  });

  it('sleeps until a request of a connection has waited too long, until the connection is gone', () => {
    patchKafkajs();
    let looks = 0;
    let isConnected = true;
    const lost: string[] = [];
    const inflight = new Map<number, RequestQueue['inflight'] extends ReadonlyMap<number, infer Sent> ? Sent : never>();
    const send = (name: string, requestTimeout: number) => {
      const timeoutRequest = () => void (inflight.delete(inflight.size), lost.push(name));
      inflight.set(inflight.size + 1, { sentAt: Date.now(), requestTimeout, timeoutRequest });
    };
    jest.useFakeTimers({ now: 0 });
    try {
      const queue = Object.assign(Object.create(RequestQueue.prototype) as RequestQueue, {
        enforceRequestTimeout: true,
        requestTimeout: 15_000,
        isConnected: () => ((looks += 1), isConnected),
        inflight,
      });
      queue.scheduleRequestTimeoutCheck();
      jest.advanceTimersByTime(10_000);
      send('longer', 60_000);
      jest.advanceTimersByTime(4_000);
      send('shorter', 15_000);
      jest.advanceTimersByTime(15_000);
      expect([looks, lost]).toEqual([1, []]);
      jest.advanceTimersByTime(2);
      expect([looks, lost]).toEqual([2, ['shorter']]);
      jest.advanceTimersByTime(50_000);
      expect([looks, lost]).toEqual([5, ['shorter', 'longer']]);
      isConnected = false;
      jest.advanceTimersByTime(20_000);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('keeps a closed client closed', async () => {
    patchKafkajs();
    const admin = new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin();
    await admin.disconnect();
    await expect(admin.connect()).rejects.toThrow('the client was closed');
  });

  it('names the error if no broker describes the cluster, where kafkajs throws a TypeError', async () => {
    patchKafkajs();
    const brokerPool = { refreshMetadataIfNecessary: () => Promise.resolve(), withBroker: () => Promise.resolve(null) };
    const retrier = (run: () => Promise<unknown>) => run();
    const cluster = Object.assign(Object.create(Cluster.prototype) as object, {
      brokerPool,
      retrier,
    }) as unknown as Cluster;
    await expect(cluster.metadata()).rejects.toMatchObject({
      name: 'KafkaJSConnectionError',
      message: 'no broker describes the cluster',
    });
  });

  it('ends a consumer whose position the event log does not hold, where kafkajs would jump', async () => {
    patchKafkajs();
    const outOfRange = Object.assign(new Error('out of range'), { name: 'KafkaJSOffsetOutOfRange' });
    const group = Object.create(ConsumerGroup.prototype) as ConsumerGroup;
    await expect(group.recoverFromFetch(outOfRange)).rejects.toMatchObject({ retriable: false, cause: outOfRange });
  });

  it('refreshes metadata when a leader moved, without a rebalance of the group', async () => {
    patchKafkajs();
    let looks = 0;
    const cluster = { refreshMetadata: () => Promise.resolve(void looks++) };
    const group = Object.assign(Object.create(ConsumerGroup.prototype) as object, {
      cluster,
    }) as unknown as ConsumerGroup;
    await group.recoverFromFetch(Object.assign(new Error('moved'), { type: 'NOT_LEADER_FOR_PARTITION' }));
    expect(looks).toBe(1);
  });

  it('lets a consumer stop while a handler runs after a broker joined, where kafkajs would block the event loop', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'patch-'));
    await bundle(join(__dirname, '../testing/stopping-runner.ts'), join(folder, 'child.mjs'));
    const child = run(join(folder, 'child.mjs'), {});
    // A process that spins hears no other signal.
    const limit = setTimeout(() => child.kill('SIGKILL'), 30_000);
    const [code, signal] = (await once(child, 'exit')) as unknown[];
    clearTimeout(limit);
    rmSync(folder, { recursive: true });
    expect([code, signal]).toEqual([0, null]);
  });

  it('lets a consumer leave its group without waiting for records', async () => {
    patchKafkajs();
    const asked = signal();
    const cluster = Object.assign(Object.create(Cluster.prototype) as Cluster, {
      ...{ brokerPool: { brokers: {}, disconnect: () => Promise.resolve() } },
      refreshMetadataIfNecessary: () => (asked.give(), new Promise<void>(() => undefined)),
    });
    const steps: string[] = [];
    const group = Object.assign(Object.create(ConsumerGroup.prototype) as ConsumerGroup, {
      ...{ cluster, leave: () => Promise.resolve(void steps.push('left')) },
    });
    const fetching = group.fetch('1').then((batches) => steps.push(`fetched ${String(batches.length)}`));
    await asked.given;
    const runner = Object.assign(Object.create(Runner.prototype) as Runner, {
      ...{ running: true, consuming: false, consumerGroup: group, logger: { debug: () => undefined } },
      fetchManager: { stop: () => fetching },
    });
    await runner.stop();
    expect(steps).toEqual(['fetched 0', 'left']);
  });

  it('closes a client without waiting for records', async () => {
    patchKafkajs();
    const ended: string[] = [];
    const queueOf = (name: string) => ({ requestQueue: { rejectAll: () => void ended.push(name) } });
    const connectionPool = { pool: [queueOf('requests'), queueOf('fetches')] };
    const cluster = Object.assign(Object.create(Cluster.prototype) as Cluster, {
      brokerPool: { brokers: { 1: { connectionPool } }, disconnect: () => Promise.resolve() },
    });
    await cluster.disconnect();
    expect(ended).toEqual(['fetches']);
  });

  it('says that a right is missing where no broker names the coordinator of a group for that', async () => {
    patchKafkajs();
    const searching = (type: string) => {
      const error = Object.assign(new Error(type), { name: 'KafkaJSProtocolError', type, retriable: false });
      const broker = { findGroupCoordinator: () => Promise.reject(error) } as unknown as Broker;
      const cluster = Object.assign(Object.create(Cluster.prototype) as Cluster, {
        logger: { debug: () => undefined },
        retrier: (run: (bail: (error: Error) => void) => Promise<unknown>) =>
          new Promise((resolve, reject) => void run(reject).then(resolve, reject)),
        brokerPool: {
          withBroker: (ask: (one: { broker: Broker }) => Promise<unknown>) => ask({ broker }).catch(() => null),
        },
      });
      return cluster.findGroupCoordinatorMetadata({ groupId: 'g' });
    };
    await expect(searching('GROUP_AUTHORIZATION_FAILED')).rejects.toMatchObject({ type: 'GROUP_AUTHORIZATION_FAILED' });
    await expect(searching('BROKER_NOT_AVAILABLE')).rejects.toMatchObject({ name: 'KafkaJSGroupCoordinatorNotFound' });
  });

  it('ends a consumer that is stopped while it searches its coordinator, instead of joining later', async () => {
    patchKafkajs();
    let looks = 0;
    const lost = Object.assign(new Error('away'), { name: 'KafkaJSGroupCoordinatorNotFound' });
    const refreshMetadata = () => Promise.resolve(void looks++);
    const retrier = () => Promise.reject(looks < 20 ? lost : new Error('looks on'));
    const group = Object.assign(Object.create(ConsumerGroup.prototype) as object, {
      cluster: { refreshMetadata },
      retrier,
    }) as unknown as ConsumerGroup;
    const runner = Object.assign(Object.create(Runner.prototype) as object, {
      consumerGroup: group,
    }) as unknown as Runner;
    const joining = group.joinAndSync();
    const ended = expect(joining).rejects.toBe(lost);
    await until(() => looks > 0);
    await runner.stop();
    await ended;
  });
});
