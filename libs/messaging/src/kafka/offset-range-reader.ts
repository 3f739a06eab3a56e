import { randomUUID } from 'node:crypto';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { LogRecord } from '../records';
import { metadataMaxAgeMs, withAdmin } from './client';
import { outOfRange } from './faults';
import { disconnect, settleWithin } from './disconnect';
import type { ClusterNames } from './cluster-names';
import type { ReadDeadline } from './read-deadline';
import type { OffsetRanges } from './offset-ranges';
import { toRecord } from './to-record';

const mostRecords = 500;

/** Separates errors of the caller's handler from Kafka's. */
export class HandlerFailed extends Error {
  override readonly name = 'HandlerFailed';
}

interface OffsetRangeReaderParts {
  readonly kafka: Kafka;
  readonly names: ClusterNames;
  readonly topic: string;
  readonly deadline: ReadDeadline;
  readonly tidyTimeoutMs: number;
  readonly handle: (records: readonly LogRecord[]) => Promise<void>;
}

/**
 * One kafkajs consumer that reads the rest of each partition. kafkajs needs a group: this one never commits and is
 * deleted at the end.
 */
export class OffsetRangeReader {
  private readonly groupId: string;
  private readonly consumer: Consumer;
  private over = false;
  private handling: Promise<void> = Promise.resolve();
  private finish: () => void = () => undefined;
  private fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly parts: OffsetRangeReaderParts,
    private readonly ranges: OffsetRanges,
  ) {
    this.groupId = parts.names.toCluster(`read-${randomUUID()}`);
    this.consumer = parts.kafka.consumer({
      groupId: this.groupId,
      metadataMaxAge: metadataMaxAgeMs,
      maxWaitTimeInMs: 100,
      maxBytesPerPartition: 512 * 1024,
      allowAutoTopicCreation: false,
      retry: {
        initialRetryTime: 100,
        maxRetryTime: 1_000,
        retries: 30,
        restartOnFailure: () => Promise.resolve(false),
      },
    });
  }

  /** Resolves when all is read, or when a partition no longer holds the next record. */
  async read(): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
    this.listen();
    const starting = this.start();
    starting.catch((error: unknown) => this.fail(error));
    try {
      await this.parts.deadline.race(done);
    } finally {
      await this.end(starting);
    }
  }

  private listen(): void {
    const { CRASH, END_BATCH_PROCESS, GROUP_JOIN } = this.consumer.events;
    this.consumer.on(GROUP_JOIN, () => this.seek());
    // Only this event reports a batch of nothing but transaction markers.
    this.consumer.on(END_BATCH_PROCESS, ({ payload }) => this.advance(payload.partition, payload.lastOffset));
    this.consumer.on(CRASH, ({ payload }) => (outOfRange(payload.error) ? this.finish() : this.fail(payload.error)));
  }

  private async start(): Promise<void> {
    await this.consumer.connect();
    await this.consumer.subscribe({ topics: [this.parts.names.toCluster(this.parts.topic)], fromBeginning: true });
    await this.consumer.run({
      autoCommit: false,
      eachBatch: (payload) => (this.handling = this.handleBatch(payload)),
    });
  }

  private seek(): void {
    const topic = this.parts.names.toCluster(this.parts.topic);
    for (const [partition, offset] of Object.entries(this.ranges.positions))
      this.consumer.seek({ topic, partition: Number(partition), offset });
  }

  /** Never throws: kafkajs would stop or restart by the class of the error. */
  private async handleBatch(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const messages = this.ranges.unread(batch.partition, batch.messages);
    for (let at = 0; at < messages.length && !this.over; at += mostRecords) {
      const chunk = messages.slice(at, at + mostRecords);
      this.parts.deadline.pause();
      try {
        await this.parts.handle(chunk.map((message) => toRecord(this.parts.topic, batch.partition, message)));
      } catch (cause) {
        this.over = true;
        this.fail(new HandlerFailed('what was read could not be taken', { cause }));
        return;
      }
      this.ranges.advance(batch.partition, (chunk.at(-1) as (typeof chunk)[number]).offset);
      this.parts.deadline.restart();
      await payload.heartbeat().catch(() => undefined);
    }
  }

  private advance(partition: number, offset: string): void {
    if (this.over) return;
    this.ranges.advance(partition, offset);
    if (this.ranges.finished) this.finish();
  }

  private async end(starting: Promise<void>): Promise<void> {
    this.over = true;
    const { kafka, tidyTimeoutMs } = this.parts;
    await disconnect(this.consumer, starting, tidyTimeoutMs);
    await settleWithin(this.handling, tidyTimeoutMs);
    await settleWithin(
      withAdmin(kafka, (admin) => admin.deleteGroups([this.groupId])),
      tidyTimeoutMs,
    );
  }
}
