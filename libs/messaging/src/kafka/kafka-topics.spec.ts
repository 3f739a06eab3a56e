import { KafkaJSProtocolError } from 'kafkajs';
import type { Admin, ITopicMetadata, Kafka } from 'kafkajs';
import type { TopicDefinition } from '../port';
import { KafkaTopics } from './kafka-topics';
import { ClusterNames } from './cluster-names';

const single = { replication: 1, minIsr: 1 };
const topic: TopicDefinition = { name: 'orders', partitions: 1, retentionMs: 1_000 };
const metadataOn = (...replicas: number[]): ITopicMetadata => ({
  name: 'orders',
  partitions: [{ partitionErrorCode: 0, partitionId: 0, leader: 1, replicas, isr: replicas }],
});
const notKnown = () =>
  Promise.reject(
    new KafkaJSProtocolError({
      type: 'UNKNOWN_TOPIC_OR_PARTITION',
      code: 3,
      retriable: true,
      message: 'This server does not host this topic-partition',
    } as never),
  );

/** A cluster whose broker hears of a new topic `late` questions after the controller made it. */
function cluster(
  listed: string[],
  late: number,
  replicas = [1],
  settings: Readonly<Record<string, string>> = {},
): { kafka: Kafka; asked: () => number } {
  let asked = 0;
  const admin = {
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    listTopics: () => Promise.resolve(listed),
    // As kafkajs does it: its own wait for leaders takes any answer but LEADER_NOT_AVAILABLE for a failure.
    createTopics: ({ waitForLeaders }: Parameters<Admin['createTopics']>[0]) =>
      waitForLeaders === false ? Promise.resolve(true) : notKnown(),
    fetchTopicMetadata: () => (++asked > late ? Promise.resolve({ topics: [metadataOn(...replicas)] }) : notKnown()),
    describeConfigs: () =>
      Promise.resolve({
        resources: [
          {
            resourceName: 'orders',
            configEntries: Object.entries({ 'retention.ms': '1000', ...settings }).map(([configName, configValue]) => ({
              configName,
              configValue,
            })),
          },
        ],
        throttleTime: 0,
      }),
  };
  return { kafka: { admin: () => admin } as unknown as Kafka, asked: () => asked };
}

it('creates a topic, and waits until a broker knows it', async () => {
  const { kafka, asked } = cluster([], 3);
  expect(await new KafkaTopics(() => kafka, new ClusterNames('')).apply([topic], single)).toEqual({
    created: ['orders'],
    existing: [],
  });
  expect(asked()).toBe(4);
});

it('compares a listed topic even if the next broker does not know it yet', async () => {
  const { kafka, asked } = cluster(['orders'], 2);
  expect(await new KafkaTopics(() => kafka, new ClusterNames('')).compare([topic], single)).toMatchObject([
    { name: 'orders', exists: true },
  ]);
  expect(asked()).toBe(3);
});

it.each([
  ['fewer replicas than wanted', [1, 2], ['topic orders: replication factor is 2, should be 3']],
  ['as many', [1, 2, 3], []],
  ['more, as while a partition moves to another broker', [1, 2, 3, 4], []],
])('finds fault with a topic that has %s: %j', async (_what, replicas, found) => {
  const { kafka } = cluster(['orders'], 0, replicas);
  const wanted = { replication: 3, minIsr: 2 };
  const [state] = await new KafkaTopics(() => kafka, new ClusterNames('')).compare([topic], wanted);
  expect(state?.differences.filter((line) => line.includes('replication'))).toEqual(found);
});

it.each([
  ['smaller than batches and records may be', '1048575', ['is 1048575, should be at least 1048576']],
  ['as a topic is made', '1048576', []],
  ['the default of a broker', '1048588', []],
])('finds fault with a size of messages that is %s', async (_what, bytes, found) => {
  const { kafka } = cluster(['orders'], 0, [1], { 'max.message.bytes': bytes });
  const [state] = await new KafkaTopics(() => kafka, new ClusterNames('')).compare([topic], single);
  expect(state?.differences.filter((line) => line.includes('bytes'))).toEqual(
    found.map((line) => `topic orders: max.message.bytes ${line}`),
  );
});

const retention = (is: number, should: number) => `topic orders: retention.ms is ${is}, should be ${should}`;
it.each([
  ['as it should be', 1_000, 1_000, { differences: [], tolerated: [] }],
  ['shorter', 999, 1_000, { differences: [retention(999, 1_000)], tolerated: [] }],
  ['longer', 1_001, 1_000, { differences: [], tolerated: [expect.stringContaining(retention(1_001, 1_000))] }],
  ['without an end', -1, 1_000, { differences: [], tolerated: [expect.stringContaining(retention(-1, 1_000))] }],
  ['finite, and should have no end', 1_000, -1, { differences: [retention(1_000, -1)], tolerated: [] }],
])(
  'refuses a retention that loses records, and only tolerates a longer one: %s',
  async (_what, is, should, expected) => {
    const { kafka } = cluster(['orders'], 0, [1], { 'retention.ms': String(is) });
    const [state] = await new KafkaTopics(() => kafka, new ClusterNames('')).compare(
      [{ ...topic, retentionMs: should }],
      single,
    );
    const ofRetention = (lines: readonly string[] = []) => lines.filter((line) => line.includes('retention'));
    expect({ differences: ofRetention(state?.differences), tolerated: state?.tolerated }).toEqual(expected);
  },
);
