import { randomUUID } from 'node:crypto';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import type { LogRecord } from '../records';
import { metadataMaxAgeMs, withAdmin } from './client';
import { outOfRange } from './faults';
import { letGo, soon } from './let-go';
import type { Names } from './names';
import type { Patience } from './patience';
import type { Spans } from './spans';
import { toRecord } from './to-record';

const mostRecords = 500;

/** What the caller's own code threw, so that it is told from what Kafka threw. */
export class TakeFailed extends Error {
  override readonly name = 'TakeFailed';
}

export interface SpanReaderParts {
  readonly kafka: Kafka;
  readonly names: Names;
  readonly topic: string;
  readonly patience: Patience;
  readonly tidyTimeoutMs: number;
  readonly take: (records: readonly LogRecord[]) => Promise<void>;
}

/**
 * One kafkajs consumer that reads what is left of each partition. kafkajs reads only as a member of a group, so it is alone in a group
 * that never commits and is deleted at the end; where that fails, brokers themselves forget a group without members and positions.
 */
export class SpanReader {
  private readonly groupId: string;
  private readonly consumer: Consumer;
  private over = false;
  private taking: Promise<void> = Promise.resolve();
  private finish: () => void = () => undefined;
  private fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly parts: SpanReaderParts,
    private readonly spans: Spans,
  ) {
    this.groupId = parts.names.onCluster(`read-${randomUUID()}`);
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

  /** Resolves when all is read, or when a partition no longer holds what would come next. */
  async read(): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
    });
    this.listen();
    const starting = this.start();
    starting.catch((error: unknown) => this.fail(error));
    try {
      await this.parts.patience.of(done);
    } finally {
      await this.end(starting);
    }
  }

  private listen(): void {
    const { CRASH, END_BATCH_PROCESS, GROUP_JOIN } = this.consumer.events;
    this.consumer.on(GROUP_JOIN, () => this.seek());
    // Only this event tells of a batch that held nothing but marks of transactions.
    this.consumer.on(END_BATCH_PROCESS, ({ payload }) => this.pass(payload.partition, payload.lastOffset));
    this.consumer.on(CRASH, ({ payload }) => (outOfRange(payload.error) ? this.finish() : this.fail(payload.error)));
  }

  private async start(): Promise<void> {
    await this.consumer.connect();
    await this.consumer.subscribe({ topics: [this.parts.names.onCluster(this.parts.topic)], fromBeginning: true });
    await this.consumer.run({
      autoCommit: false,
      eachBatch: (payload) => (this.taking = this.take(payload)),
    });
  }

  /** Each join begins at the committed positions, of which there are none. */
  private seek(): void {
    const topic = this.parts.names.onCluster(this.parts.topic);
    for (const [partition, offset] of Object.entries(this.spans.positions))
      this.consumer.seek({ topic, partition: Number(partition), offset });
  }

  /** Never throws: kafkajs would stop, or begin anew, by the class of the error. */
  private async take(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const messages = this.spans.wanted(batch.partition, batch.messages);
    for (let at = 0; at < messages.length && !this.over; at += mostRecords) {
      const chunk = messages.slice(at, at + mostRecords);
      this.parts.patience.hold();
      try {
        await this.parts.take(chunk.map((message) => toRecord(this.parts.topic, batch.partition, message)));
      } catch (cause) {
        this.over = true;
        this.fail(new TakeFailed('what was read could not be taken', { cause }));
        return;
      }
      this.spans.pass(batch.partition, (chunk.at(-1) as (typeof chunk)[number]).offset);
      this.parts.patience.renew();
      await payload.heartbeat().catch(() => undefined);
    }
  }

  private pass(partition: number, offset: string): void {
    if (this.over) return;
    this.spans.pass(partition, offset);
    if (this.spans.finished) this.finish();
  }

  private async end(starting: Promise<void>): Promise<void> {
    this.over = true;
    const { kafka, tidyTimeoutMs } = this.parts;
    await letGo(this.consumer, starting, tidyTimeoutMs);
    await soon(this.taking, tidyTimeoutMs);
    await soon(
      withAdmin(kafka, (admin) => admin.deleteGroups([this.groupId])),
      tidyTimeoutMs,
    );
  }
}
