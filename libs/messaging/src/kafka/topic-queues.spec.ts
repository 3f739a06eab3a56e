import type { PartitionQueue } from './partition-queue';
import { partitionOf } from './partition-of';
import { TopicQueues } from './topic-queues';

const PARTITIONS = 4;
const keyIn = (partition: number): string => {
  const keys = Array.from({ length: 100 }, (_, n) => `k${n}`);
  return keys.find((key) => partitionOf(key, PARTITIONS) === partition) ?? '';
};
const recordIn = (partition: number) => ({ message: { key: keyIn(partition), value: null } });
const queue = (isStuck: boolean) => ({ isStuck: () => isStuck, push: () => undefined }) as unknown as PartitionQueue;
const fresh = () => new TopicQueues();

it('finds records for a partition that acknowledges nothing, and lets those for others pass', () => {
  const queues = fresh();
  queues.open(Array.from({ length: PARTITIONS }, (_, partition) => queue(partition === 1)));
  expect(queues.areStuck([recordIn(0), recordIn(2), recordIn(3)], 1_000)).toBe(false);
  expect(queues.areStuck([recordIn(0), recordIn(1)], 1_000)).toBe(true);
});

it('finds none before the partitions of the topic are known', () => {
  expect(fresh().areStuck([recordIn(1)], 1_000)).toBe(false);
});
