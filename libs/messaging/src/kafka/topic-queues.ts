import type { Outbound, PartitionQueue } from './partition-queue';
import { partitionOf } from './partition-of';

/** The queues of a topic. Until its number of partitions is known, records wait here in their order. */
export class TopicQueues {
  private queues: readonly PartitionQueue[] = [];
  private early: Outbound[] = [];

  constructor(private readonly keyOf: (record: Outbound) => string) {}

  push(records: readonly Outbound[]): void {
    if (this.queues.length === 0) this.early.push(...records);
    else this.spread(records);
  }

  /** The partitions are known from here on. */
  open(queues: readonly PartitionQueue[]): void {
    this.queues = queues;
    this.spread(this.early.splice(0));
  }

  /** Gives back what was not sent yet. */
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
