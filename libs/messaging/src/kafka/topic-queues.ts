import type { Outbound, PartitionQueue } from './partition-queue';
import { partitionOf } from './partition-of';

type Keyed = Pick<Outbound, 'message'>;

/** The partition queues of a topic. Records wait here until the number of partitions is known. */
export class TopicQueues {
  private queues: readonly PartitionQueue[] = [];
  private early: Outbound[] = [];

  push(records: readonly Outbound[]): void {
    if (this.queues.length === 0) this.early.push(...records);
    else this.spread(records);
  }

  /** Whether one of the records is for a partition that has acknowledged nothing for this long. */
  areStuck(records: readonly Keyed[], afterMs: number): boolean {
    const stuck = this.queues.filter((queue) => queue.isStuck(afterMs));
    return stuck.length > 0 && records.some((record) => stuck.includes(this.queueOf(record)));
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
      const queue = this.queueOf(record);
      const own = byQueue.get(queue);
      if (own) own.push(record);
      else byQueue.set(queue, [record]);
    }
    byQueue.forEach((own, queue) => queue.push(own));
  }

  private queueOf(record: Keyed): PartitionQueue {
    return this.queues[partitionOf(String(record.message.key), this.queues.length)] as PartitionQueue;
  }
}
