import type { Message } from 'kafkajs';
import type { SendLimiter } from './send-limiter';

const batchRecords = 1_000;
/** Well below the `max.message.bytes` of a topic, at least 1 MiB, which counts the whole batch. */
const batchBytes = 512 * 1024;

export interface Outbound {
  readonly message: Message;
  readonly bytes: number;
  readonly settle: (error?: Error) => void;
}

interface PartitionQueueParts {
  send(messages: Message[]): Promise<void>;
  readonly limiter: SendLimiter;
  onSent(batch: readonly Outbound[], error: Error | undefined): void;
  readonly clock: () => number;
}

/**
 * The send queue of one partition, with one send in flight; later records form the next batch. Order holds, an idle
 * queue sends at once, and a busy one fills its batches.
 */
export class PartitionQueue {
  private waiting: Outbound[] = [];
  private running = false;
  private sendingSinceMs: number | undefined;

  constructor(private readonly parts: PartitionQueueParts) {}

  push(records: readonly Outbound[]): void {
    this.waiting.push(...records);
    if (this.running) return;
    this.running = true;
    // Records of one turn of the event loop share the first batch.
    setImmediate(() => void this.run());
  }

  /** Whether the send in flight takes longer: records behind it would wait for as long as the partition takes none. */
  isStuck(afterMs: number): boolean {
    return this.sendingSinceMs !== undefined && this.parts.clock() - this.sendingSinceMs >= afterMs;
  }

  drain(): readonly Outbound[] {
    const left = this.waiting;
    this.waiting = [];
    return left;
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const leave = await this.parts.limiter.acquire();
      const batch = this.nextBatch();
      if (batch.length > 0) await this.send(batch);
      leave();
    }
    this.running = false;
  }

  private async send(batch: readonly Outbound[]): Promise<void> {
    this.sendingSinceMs = this.parts.clock();
    const error = await this.parts.send(batch.map(({ message }) => message)).then(
      () => undefined,
      (cause: Error) => cause,
    );
    this.sendingSinceMs = undefined;
    this.parts.onSent(batch, error);
  }

  private nextBatch(): readonly Outbound[] {
    let bytes = 0;
    const end = this.waiting.findIndex((record, index) => (bytes += record.bytes) > batchBytes && index > 0);
    const most = Math.min(batchRecords, this.waiting.length);
    return this.waiting.splice(0, end === -1 ? most : Math.min(end, most));
  }
}
