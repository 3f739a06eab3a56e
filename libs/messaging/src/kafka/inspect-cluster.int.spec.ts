import { randomUUID } from 'node:crypto';
import { Kafka } from 'kafkajs';
import { openLog } from '../open-log';
import { patchedKafka } from './patched-kafka';
import { inspectCluster } from './inspect-cluster';

const brokersOf = (): string[] => {
  const brokers = process.env['DSR_TEST_KAFKA_BROKERS'];
  if (!brokers) throw new Error('DSR_TEST_KAFKA_BROKERS is missing');
  return brokers.split(',');
};

describe('the inspection of a Kafka cluster', () => {
  const topicPrefix = `facts-${randomUUID().slice(0, 8)}.`;
  const options = () => ({ brokers: brokersOf(), clientId: 'facts', topicPrefix });
  const asking = {
    groups: { nobody: [{ name: 'things' }, { name: 'absent' }], idle: [{ name: 'absent' }] },
    topics: ['things', 'absent'],
    deadlineMs: 20_000,
  };

  it('names brokers, release and groups, and the topics whose records are dated later', async () => {
    const log = await openLog({ kafka: options() });
    try {
      await log.topics.apply([{ name: 'things', partitions: 2, retentionMs: 60_000 }], { replication: 1, minIsr: 1 });
      await log.publisher.publish(
        'things',
        ['a', 'b'].map((key) => ({ key, value: Buffer.from('{}'), headers: {} })),
      );
      const now = await inspectCluster(options(), { ...asking, date: new Date(Date.now() + 60_000) });
      expect(now.brokers).toBeGreaterThanOrEqual(1);
      expect(now.atLeast).toMatch(/^[34]\.\d+$/);
      expect(now.fromTheFuture).toEqual([]);
      // A group without a position has all of its topics before it.
      expect(now.groups).toMatchObject([
        { group: 'nobody', members: 0, lagRecords: 2 },
        { group: 'idle', members: 0, lagRecords: 0 },
      ]);
      // Seen from ten minutes ago, what was written now comes from the future.
      expect(
        (await inspectCluster(options(), { ...asking, date: new Date(Date.now() - 600_000) })).fromTheFuture,
      ).toEqual(['things']);
    } finally {
      await log.close();
    }
  });

  it('asks again if a broker does not lead a partition yet', async () => {
    const admin = patchedKafka({ brokers: brokersOf() }).admin();
    await admin.connect();
    const nothing = () => Promise.resolve();
    const notLeader = () =>
      Promise.reject(Object.assign(new Error('not the leader'), { type: 'NOT_LEADER_FOR_PARTITION' }));
    const made = jest.spyOn(Kafka.prototype, 'admin').mockImplementationOnce(() => ({
      ...admin,
      connect: nothing,
      disconnect: nothing,
      fetchTopicOffsets: notLeader,
    }));
    try {
      expect((await inspectCluster(options(), { ...asking, date: new Date() })).groups).toHaveLength(2);
      expect(made.mock.calls.length).toBeGreaterThan(1);
    } finally {
      made.mockRestore();
      await admin.disconnect();
    }
  });

  it('gives up at the deadline if no broker responds', async () => {
    await expect(
      inspectCluster({ ...options(), brokers: ['127.0.0.1:1'] }, { ...asking, date: new Date(), deadlineMs: 300 }),
    ).rejects.toMatchObject({ name: 'LogAway' });
  });
});
