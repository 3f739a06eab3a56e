import type { Consumer, Kafka } from 'kafkajs';
import { withDeadline } from '../deadline';
import { metadataMaxAgeMs } from './client';
import type { PartitionReader } from './partition-reader';

const lookMs = 1_000;
/** It fetches twice a second, and beats once, whatever its handlers do. */
const heardWithinMs = 5_000;
const silentAfterMs = 30_000;
const dropAfterMs = 5_000;

/** The consumer gave no sign for too long, though kafkajs did not say that it died. */
export class Silent extends Error {
  override readonly name = 'Silent';
}

export interface LifeParts {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  readonly reader: PartitionReader;
  onJoin(): void;
}

/** One kafkajs consumer from its start to its end. It is never restarted: `KafkaConsumer` makes a new one. */
export class ConsumerLife {
  private readonly consumer: Consumer;
  private readonly timer: NodeJS.Timeout;
  private lastSignMs = performance.now();
  private isMember = false;
  private finish: (reason: Error) => void = () => undefined;
  /** Resolves with the reason once this consumer is dead. */
  readonly ended: Promise<Error>;

  constructor(private readonly parts: LifeParts) {
    this.ended = new Promise((resolve) => (this.finish = resolve));
    this.consumer = parts.kafka.consumer({
      groupId: parts.groupId,
      sessionTimeout: parts.sessionTimeoutMs,
      heartbeatInterval: 1_000,
      rebalanceTimeout: 15_000,
      metadataMaxAge: metadataMaxAgeMs,
      maxWaitTimeInMs: 500,
      maxBytesPerPartition: 512 * 1024,
      maxBytes: 5 * 1024 * 1024,
      allowAutoTopicCreation: false,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 30, restartOnFailure: () => Promise.resolve(false) },
    });
    this.listen();
    this.timer = setInterval(() => this.look(), lookMs);
  }

  /** Whether it is a member that heard from the log in the last seconds. */
  get hears(): boolean {
    return this.isMember && performance.now() - this.lastSignMs < heardWithinMs;
  }

  /** Joins the group. Errors end this life like later ones do. */
  async start(): Promise<void> {
    try {
      await this.consumer.connect();
      await this.consumer.subscribe({ topics: [...this.parts.topics], fromBeginning: true });
      await this.consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: 3,
        eachBatch: (payload) => this.parts.reader.read(payload),
      });
    } catch (error) {
      this.finish(error as Error);
    }
  }

  /** Finishes the running batches, commits them and leaves the group, or gives up after `atMostMs`. */
  async close(atMostMs: number): Promise<void> {
    clearInterval(this.timer);
    await withDeadline(this.consumer.disconnect(), atMostMs, () => new Silent('closing takes too long')).catch(() => undefined);
    this.parts.reader.end();
  }

  /** Lets go of a dead consumer. What it still handles is not committed. */
  async drop(): Promise<void> {
    this.parts.reader.end();
    await this.close(dropAfterMs);
  }

  private listen(): void {
    const { consumer } = this;
    const { CRASH, END_BATCH_PROCESS, FETCH, GROUP_JOIN, HEARTBEAT } = consumer.events;
    const sign = (): void => {
      this.lastSignMs = performance.now();
    };
    consumer.on(FETCH, sign);
    consumer.on(HEARTBEAT, sign);
    consumer.on(END_BATCH_PROCESS, sign);
    consumer.on(GROUP_JOIN, () => {
      sign();
      this.isMember = true;
      this.parts.reader.joined();
      this.parts.onJoin();
    });
    consumer.on(CRASH, ({ payload }) => this.finish(payload.error));
  }

  private look(): void {
    void this.parts.reader.saveAgain();
    if (performance.now() - this.lastSignMs > silentAfterMs) this.finish(new Silent('no sign of life'));
  }
}
