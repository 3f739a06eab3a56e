import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { freePorts } from '@opendsr-service/storage/testing';
import { openLog } from '../open-log';
import type { EventLog } from '../port';
import { Listener } from '../testing/listener';
import { until } from '../testing/until';
import { patchedKafka } from './patched-kafka';

// Several waits of up to a minute are in one test.

const brokers = process.env['DSR_TEST_KAFKA_BROKERS']?.split(',') ?? [];
const record = (value: string) => ({ key: 'k', value, headers: {} });
const single = { replication: 1, minIsr: 1 };

/** Something that listens for clients of the first broker from now on. */
async function door(port: number): Promise<Server> {
  const [host, brokerPort] = (brokers[0] ?? '').split(':');
  const server = createServer((socket) => {
    const inner = connect(Number(brokerPort), host);
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function deleteBefore(topic: string, offset: string): Promise<void> {
  const admin = patchedKafka({ brokers }).admin();
  await admin.connect();
  try {
    // kafkajs deletes only in topics that it has looked at.
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset }] });
  } finally {
    await admin.disconnect();
  }
}

describe('the event log while Kafka is away', () => {
  const topicPrefix = `${randomUUID()}.`;
  let log: EventLog;

  beforeAll(async () => {
    if (brokers.length === 0) throw new Error('DSR_TEST_KAFKA_BROKERS names no broker');
    log = await openLog({ kafka: { brokers, clientId: 'outages', topicPrefix, sessionTimeoutMs: 6_000 } });
  });

  afterAll(async () => {
    await log.close();
  });

  it('keeps deadlines, then refuses at once, and delivers accepted records once when the broker comes', async () => {
    await log.topics.apply([{ name: 'away', partitions: 3, retentionMs: -1 }], single);
    const [port = 0] = await freePorts(1);
    const far = await openLog({
      kafka: {
        brokers: [`127.0.0.1:${port}`],
        clientId: 'far',
        topicPrefix,
        refuseAfterMs: 3_000,
        connectionTimeoutMs: 500,
      },
    });
    await expect(far.publisher.publish('away', [record('1')], { deadlineMs: 50 })).rejects.toMatchObject({
      name: 'PublishTimeout',
    });
    const accepted = far.publisher.publish('away', [record('2')], { deadlineMs: 60_000 });
    await until(() => !far.publisher.available);
    // The first may be the trial of a second.
    const trial = far.publisher.publish('away', [record('trial')], { deadlineMs: 60_000 }).catch(() => undefined);
    await expect(far.publisher.publish('away', [record('3')])).rejects.toMatchObject({
      name: 'PublishRefused',
      reason: 'away',
    });

    const opened = await door(port);
    await Promise.all([accepted, trial]);
    expect(far.publisher.available).toBe(true);
    await far.publisher.publish('away', [record('4')]);
    const [listener] = await Listener.join(log, 'away', ['away']);
    await until(() => listener.values.includes('4'));
    expect(listener.values.filter((value) => value !== 'trial')).toEqual(['1', '2', '4']);
    await far.close();
    opened.close();
  });

  it('refuses unsent records when it is closed while the broker is away', async () => {
    const [port = 0] = await freePorts(1);
    const far = await openLog({
      kafka: { brokers: [`127.0.0.1:${port}`], clientId: 'far', topicPrefix, closeTimeoutMs: 50 },
    });
    const waiting = expect(far.publisher.publish('away', [record('1')])).rejects.toMatchObject({
      name: 'PublishRefused',
      reason: 'closed',
    });
    await far.close();
    await waiting;
  });

  it('stops a group whose unread records were deleted, and never jumps', async () => {
    await log.topics.apply([{ name: 'gone', partitions: 1, retentionMs: -1 }], single);
    await log.publisher.publish('gone', [record('1')]);
    const [first, leaving] = await Listener.join(log, 'slow', ['gone']);
    await until(() => first.handled.length === 1);
    await leaving.close();
    await log.publisher.publish('gone', [record('2'), record('3'), record('4')]);
    await deleteBefore(`${topicPrefix}gone`, '3');

    const [late, consumer] = await Listener.join(log, 'slow', ['gone']);
    await until(() => late.fatal !== undefined);
    expect([late.fatal?.name, late.handled, consumer.state]).toEqual(['OffsetOutOfRange', [], 'away']);
  });

  it('shares partitions between two members, and gives all to the one that stays', async () => {
    await log.topics.apply([{ name: 'shared', partitions: 4, retentionMs: -1 }], single);
    const [one, first] = await Listener.join(log, 'pair', ['shared']);
    const [two] = await Listener.join(log, 'pair', ['shared']);
    const partitionsOf = (listener: Listener) => new Set(listener.handled.map(({ partition }) => partition));
    const burst = () =>
      log.publisher.publish(
        'shared',
        Array.from({ length: 40 }, (_, n) => ({ key: `k${n}`, value: String(n), headers: {} })),
      );
    await until(async () => {
      one.handled.length = 0;
      two.handled.length = 0;
      await burst();
      await until(() => one.handled.length + two.handled.length >= 40);
      return partitionsOf(one).size === 2 && partitionsOf(two).size === 2;
    });
    await first.close();
    two.handled.length = 0;
    await burst();
    await until(() => partitionsOf(two).size === 4);
  });
});
