import { setTimeout as delay } from 'node:timers/promises';
import { withDeadline } from '@opendsr-service/contracts';
import { patchedKafka } from '@opendsr-service/messaging';
import { clock } from './tasks';

let turn = 0;
/** A client starts at its first broker and, without retries, stays there: each one starts at another, for any may be dead. */
const rotated = (brokers: readonly string[]): string[] => [
  ...brokers.slice(++turn % brokers.length),
  ...brokers.slice(0, turn % brokers.length),
];

/** Without our adapter: what it sees is what the servers can do. */
const bare = (brokers: readonly string[]) =>
  patchedKafka({
    brokers: rotated(brokers),
    clientId: 'bare',
    connectionTimeout: 1_000,
    requestTimeout: 20_000,
    retry: { retries: 0 },
  });

type Admin = ReturnType<ReturnType<typeof patchedKafka>['admin']>;

async function asAdmin<T>(brokers: readonly string[], ask: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = bare(brokers).admin();
  await admin.connect();
  try {
    return await ask(admin);
  } finally {
    await admin.disconnect();
  }
}

/** The broker that coordinates a group: the leader of the partition that its name hashes to. */
export function coordinatorOf(brokers: readonly string[], group: string): Promise<number> {
  return asAdmin(brokers, async (admin) => {
    const { topics } = await admin.fetchTopicMetadata({ topics: ['__consumer_offsets'] });
    const partitions = topics[0]?.partitions ?? [];
    const hash = [...group].reduce((sum, letter) => (Math.imul(31, sum) + letter.charCodeAt(0)) | 0, 0);
    const mine = partitions.find(({ partitionId }) => partitionId === (hash & 0x7fffffff) % partitions.length);
    if (!mine) throw new Error('no coordinator');
    return mine.leader;
  });
}

/** Whether every partition of these topics has all its replicas in sync, so that the next death starts from a sound cluster. */
export async function isWhole(brokers: readonly string[], topics: readonly string[]): Promise<boolean> {
  try {
    return await asAdmin(brokers, async (admin) => {
      const metadata = await admin.fetchTopicMetadata({ topics: [...topics, '__consumer_offsets'] });
      return metadata.topics.every(({ partitions }) =>
        partitions.every(({ isr, replicas }) => isr.length === replicas.length),
      );
    });
  } catch {
    return false;
  }
}

const attemptMs = 25_000;

function accepts(brokers: readonly string[], topic: string, partition: number): Promise<boolean> {
  // Plain kafkajs can wait forever on a dead connection; then the next attempt decides.
  return withDeadline(attempt(brokers, topic, partition), attemptMs, () => false);
}

async function attempt(brokers: readonly string[], topic: string, partition: number): Promise<boolean> {
  const producer = bare(brokers).producer({ retry: { retries: 0 }, allowAutoTopicCreation: false });
  try {
    await producer.connect();
    await producer.send({ topic, acks: -1, messages: [{ partition, value: 'probe' }] });
    return true;
  } catch {
    return false;
  } finally {
    await producer.disconnect().catch(() => undefined);
  }
}

/**
 * The servers' floor: the time until every partition of the probe topic accepts a write with `acks=all` from a new
 * producer. No client can recover earlier.
 */
export async function floorReachedAt(brokers: readonly string[], topic: string, partitions: number): Promise<number> {
  const reached = async (partition: number): Promise<number> => {
    while (!(await accepts(brokers, topic, partition))) await delay(100);
    return clock();
  };
  return Math.max(...(await Promise.all(Array.from({ length: partitions }, (_, partition) => reached(partition)))));
}
