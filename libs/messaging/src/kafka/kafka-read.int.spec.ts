/// <reference types="./kafkajs-internals" />
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Kafka } from 'kafkajs';
import Broker from 'kafkajs/src/broker';
import Cluster from 'kafkajs/src/cluster';
import { openLog } from '../open-log';
import type { EventLog, KeyRead } from '../port';
import type { Positions } from '../records';
import { until } from '../testing/until';
import { patchedKafka } from './patched-kafka';

const brokers = process.env['DSR_TEST_KAFKA_BROKERS']?.split(',') ?? [];
const records = (...values: string[]) => values.map((value) => ({ key: 'k', value, headers: {} }));

describe('reading a topic of Kafka to its end', () => {
  const topicPrefix = `${randomUUID()}.`;
  const kafka = patchedKafka({ brokers: brokers.length > 0 ? brokers : ['nowhere:1'] });
  const admin = kafka.admin();
  let log: EventLog;
  let topic: string;
  let made = 0;

  beforeAll(async () => {
    if (brokers.length === 0) throw new Error('DSR_TEST_KAFKA_BROKERS names no broker');
    log = await openLog({ kafka: { brokers, clientId: 'read', topicPrefix, tidyTimeoutMs: 30_000 } });
    await admin.connect();
  });

  afterAll(async () => {
    await admin.disconnect();
    await log.close();
  });

  beforeEach(async () => {
    topic = `topic-${made++}`;
    await log.topics.apply([{ name: topic, partitions: 1, retentionMs: -1 }], { replication: 1, minIsr: 1 });
  });

  afterEach(() => jest.restoreAllMocks());

  const groups = async () =>
    (await admin.listGroups()).groups.map(({ groupId }) => groupId).filter((group) => group.startsWith(topicPrefix));
  const read = async (from: Positions) => {
    const seen: string[] = [];
    const positions = await log.read(topic, from, (batch) =>
      Promise.resolve(void seen.push(...batch.map(({ value }) => value.toString()))),
    );
    return { seen, positions };
  };
  const deleteBefore = async (offset: string) => {
    // kafkajs deletes only in topics that it has looked at.
    await admin.fetchTopicOffsets(topicPrefix + topic);
    await admin.deleteTopicRecords({ topic: topicPrefix + topic, partitions: [{ partition: 0, offset }] });
  };

  it('makes no consumer and no group, neither while it reads nor after an error', async () => {
    await log.publisher.publish(topic, records('1', '2'));
    const consumer = jest.spyOn(Kafka.prototype, 'consumer');
    let during: readonly string[] = ['unknown'];
    await log.read(topic, {}, async () => void (during = await groups()));
    await expect(log.read(topic, {}, () => Promise.reject(new Error('odd')))).rejects.toThrow('odd');
    expect([during, await groups(), consumer.mock.calls]).toEqual([[], [], []]);
  });

  it('begins at the first remaining record, and ends at once if there is none', async () => {
    await log.publisher.publish(topic, records('1', '2', '3', '4'));
    await deleteBefore('2');
    expect(await read({ 0: '1' })).toEqual({ seen: ['3', '4'], positions: { 0: '4' } });
    await deleteBefore('4');
    expect(await read({ 0: '1' })).toEqual({ seen: [], positions: { 0: '4' } });
  });

  it('reads again if records are deleted before it reaches them', async () => {
    const large = 'x'.repeat(400_000);
    for (let n = 0; n < 12; n++) await log.publisher.publish(topic, records(`${n} ${large}`));
    const seen: string[] = [];
    const positions = await log.read(topic, {}, async (batch) => {
      if (seen.length === 0) await deleteBefore('11');
      seen.push(...batch.map(({ value }) => value.toString().slice(0, 2).trim()));
    });
    expect([seen[0], seen.at(-1), seen.length < 12, positions]).toEqual(['0', '11', true, { 0: '12' }]);
  });

  it('ends behind the marker of a transaction, which no reader gets', async () => {
    const producer = kafka.producer({ transactionalId: topicPrefix + topic, idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    try {
      for (const end of ['commit', 'abort'] as const) {
        const transaction = await producer.transaction();
        await transaction.send({ topic: topicPrefix + topic, messages: [{ key: 'k', value: end }] });
        await transaction[end]();
      }
    } finally {
      await producer.disconnect();
    }
    // The mark is written after the producer saw the end.
    await until(async () => (await admin.fetchTopicOffsets(topicPrefix + topic))[0]?.high === '4');
    const { seen, positions } = await read({});
    expect([seen, positions]).toEqual([['commit'], { 0: '4' }]);
    expect(await read({ 0: '1' })).toEqual({ seen: [], positions });
  });

  describe('for one key', () => {
    const find = async (from: string | Date, bytes = 1e6) => {
      const bounds = { records: 1_000, bytes, timeMs: 60_000 };
      const [found] = await log.readKey({ key: 'k', starts: [{ topic, from }], bounds });
      return found as KeyRead;
    };

    it('makes no consumer and no group', async () => {
      await log.publisher.publish(topic, records('1', '2'));
      const consumer = jest.spyOn(Kafka.prototype, 'consumer');
      expect([(await find('0')).records.length, consumer.mock.calls, await groups()]).toEqual([2, [], []]);
    });

    it('tells from when on records are left, where earlier ones are gone', async () => {
      await log.publisher.publish(topic, records('1', '2', '3'));
      const received = new Date(0);
      expect(await find(received)).not.toHaveProperty('leftFromMs');
      await deleteBefore('2');
      const [left] = (await find('2')).records;
      for (const from of [received, '1'])
        expect(await find(from)).toMatchObject({ records: [left], next: '3', leftFromMs: left?.timestampMs });
      expect(await find('2')).not.toHaveProperty('leftFromMs');
      await deleteBefore('3');
      for (const from of [received, '1'])
        expect(await find(from)).toMatchObject({ records: [], next: '3', leftFromMs: null });
    });

    it('reads over many fetches, a record that is larger than one, and markers of transactions', async () => {
      const large = 'x'.repeat(800_000);
      const producer = kafka.producer({
        transactionalId: topicPrefix + topic,
        idempotent: true,
        maxInFlightRequests: 1,
      });
      await producer.connect();
      for (const end of ['commit', 'abort'] as const) {
        const transaction = await producer.transaction();
        await transaction.send({ topic: topicPrefix + topic, messages: [{ key: 'k', value: end }] });
        await transaction[end]();
      }
      await producer.disconnect();
      await until(async () => (await admin.fetchTopicOffsets(topicPrefix + topic))[0]?.high === '4');
      expect(await find('0')).toMatchObject({ records: [{ offset: '0' }], next: '4' });
      for (const value of ['a', large, 'b']) await log.publisher.publish(topic, records(value));
      const found = await find('0', 1e7);
      expect(found.records.map(({ offset, value }) => [offset, value.length])).toEqual([
        ['0', 6],
        ['4', 1],
        ['5', 800_000],
        ['6', 1],
      ]);
    });

    it('rejects while no broker can be reached', async () => {
      const kafka = { brokers: ['127.0.0.1:1'], clientId: 'far' };
      const far = await openLog({ kafka });
      const question = { key: 'k', starts: [{ topic, from: '0' }], bounds: { records: 1, bytes: 1, timeMs: 0 } };
      await expect(far.readKey(question)).rejects.toMatchObject({ name: 'LogAway' });
      await far.close();
    });
  });

  describe('if a broker does not lead the partition, or names no partition', () => {
    const notLeader = Object.assign(new Error('not the leader'), { type: 'NOT_LEADER_FOR_PARTITION' });
    const unknownTopic = Object.assign(new Error('unknown'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' });

    beforeEach(() => log.publisher.publish(topic, records('1')));

    it('asks again', async () => {
      const offsets = jest.spyOn(Cluster.prototype, 'fetchTopicsOffset').mockRejectedValueOnce(notLeader);
      // As kafkajs then does.
      jest.spyOn(Cluster.prototype, 'findTopicPartitionMetadata').mockReturnValueOnce([]);
      expect(await read({})).toEqual({ seen: ['1'], positions: { 0: '1' } });
      expect(offsets.mock.calls.length).toBeGreaterThan(2);
    });

    it('rejects if there is no leader until the deadline', async () => {
      jest.spyOn(Cluster.prototype, 'fetchTopicsOffset').mockRejectedValue(notLeader);
      await expect(log.read(topic, {}, () => Promise.resolve(), { deadlineMs: 300 })).rejects.toMatchObject({
        name: 'LogAway',
        message: 'the log gave nothing for 300 ms',
        cause: notLeader,
      });
    });

    it.each([
      ['the leader moves', notLeader],
      ['a broker does not know the topic yet', unknownTopic],
      ['the leader dies', Object.assign(new Error('gone'), { name: 'KafkaJSConnectionClosedError' })],
    ])('goes on behind what it has read when %s', async (_title, fault) => {
      const large = 'x'.repeat(400_000);
      for (const value of ['2', '3', '4']) await log.publisher.publish(topic, records(value + large));
      const { fetch } = Broker.prototype;
      let fetches = 0;
      jest.spyOn(Broker.prototype, 'fetch').mockImplementation(function (this: Broker, asked) {
        return ++fetches === 2 ? Promise.reject(fault) : fetch.call(this, asked);
      });
      const { seen, positions } = await read({});
      expect([seen.map(([first]) => first), positions]).toEqual([['1', '2', '3', '4'], { 0: '4' }]);
      expect(fetches).toBeGreaterThan(2);
    });
  });

  it('rejects while no broker can be reached, and when a broker does not answer in time', async () => {
    const sockets = new Set<Socket>();
    const mute = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
    const gone = createServer().listen(0, '127.0.0.1');
    const ports = await Promise.all(
      [mute, gone].map((server) => once(server, 'listening').then(() => (server.address() as AddressInfo).port)),
    );
    gone.close();
    const far = await Promise.all(
      ports.map((port) =>
        openLog({ kafka: { brokers: [`127.0.0.1:${port}`], clientId: 'far', requestTimeoutMs: 1_000 } }),
      ),
    );
    const errors = await Promise.all(
      far.map((one, n) =>
        one
          .read(topic, {}, () => Promise.resolve(), n === 0 ? { deadlineMs: 200 } : {})
          .catch((error: unknown) => error),
      ),
    );
    expect(errors).toEqual([
      expect.objectContaining({ name: 'LogAway', message: 'the log gave nothing for 200 ms' }),
      expect.objectContaining({ name: 'LogAway', message: `the log went away while ${topic} was read` }),
    ]);
    await Promise.all(far.map((one) => one.close()));
    sockets.forEach((socket) => socket.destroy());
    mute.close();
  });
});
