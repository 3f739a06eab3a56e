import type { Outbound, PartitionLane } from './partition-lane';
import { partitionOf } from './partition-of';

/** The lanes of a topic. Until its number of partitions is known, records wait here in their order. */
export class TopicLanes {
  private lanes: readonly PartitionLane[] = [];
  private early: Outbound[] = [];

  constructor(private readonly keyOf: (record: Outbound) => string) {}

  push(records: readonly Outbound[]): void {
    if (this.lanes.length === 0) this.early.push(...records);
    else this.spread(records);
  }

  /** The partitions are known from here on. */
  open(lanes: readonly PartitionLane[]): void {
    this.lanes = lanes;
    this.spread(this.early.splice(0));
  }

  /** Gives back what was not sent yet. */
  drain(): readonly Outbound[] {
    return [...this.early.splice(0), ...this.lanes.flatMap((lane) => lane.drain())];
  }

  private spread(records: readonly Outbound[]): void {
    const byLane = new Map<PartitionLane, Outbound[]>();
    for (const record of records) {
      const lane = this.lanes[partitionOf(this.keyOf(record), this.lanes.length)] as PartitionLane;
      const own = byLane.get(lane);
      if (own) own.push(record);
      else byLane.set(lane, [record]);
    }
    byLane.forEach((own, lane) => lane.push(own));
  }
}
