import type { Outbound, PartitionQueue } from './partition-queue';
import { partitionOf } from './partition-of';

/** The partition queues of a topic. Records wait here until the number of partitions is known. */
export class TopicQueues {
  private queues: readonly PartitionQueue[] = [];
  private early: Outbound[] = [];

  constructor(private readonly keyOf: (record: Outbound) => string) {}

  push(records: readonly Outbound[]): void {
    if (this.queues.length === 0) this.early.push(...records);
    else this.spread(records);
  }

  open(queues: readonly PartitionQueue[]): void {
    this.queues = queues;
    this.spread(this.early.splice(0));
  }

  drain(): readonly Outbound[] {
    return [...this.early.splice(0), ...this.queues.flatMap((queue) => queue.drain())];
  }

  private spread(records: readonly Outbound[]): void {
    const byQueue = new Map<PartitionQueue, Outbound[]>();
    for (const record of records) {
      const queue = this.queues[partitionOf(this.keyOf(record), this.queues.length)] as PartitionQueue;
      const own = byQueue.get(queue);
      if (own) own.push(record);
      else byQueue.set(queue, [record]);
    }
    byQueue.forEach((own, queue) => queue.push(own));
  }
}
