import { withDeadline } from '@opendsr-service/contracts';
import type { Consumer, Kafka } from 'kafkajs';
import { metadataMaxAgeMs } from './client';
import type { PartitionReader } from './partition-reader';

/** Of the time after which a consumer counts as silent: so much later it is noticed at most. */
const CHECKED_PART = 1 / 6;
const longestCheckGapMs = 5_000;
/** A member that waits for records fetches and sends a heartbeat every three seconds. */
const activeWithinMs = 5_000;
const abandonAfterMs = 5_000;
const commitAtMostMs = 2_000;
/**
 * Requests whose response, even a refusal, is a sign of life: a busy member does not fetch, and its heartbeats are
 * refused during a rebalance. An evicted reader sends none of them.
 */
const COORDINATION: ReadonlySet<string> = new Set(['Heartbeat', 'JoinGroup', 'OffsetCommit', 'SyncGroup']);

/** The consumer gave no sign of life, though kafkajs reported no crash. */
export class ConsumerSilent extends Error {
  override readonly name = 'ConsumerSilent';
}

interface ConsumerSessionParts {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  /** The session ends after this time without a sign of life. */
  silentAfterMs(): number;
  readonly reader: PartitionReader;
  onJoin(): void;
  /** Called when it fetches again with no records in hand. */
  onIdle(): void;
}

/** One kafkajs consumer from start to end. `KafkaConsumer` replaces it and never restarts it. */
export class ConsumerSession {
  private readonly consumer: Consumer;
  private readonly timer: NodeJS.Timeout;
  private lastActivityMs = performance.now();
  private isMember = false;
  private readonly fetchedFrom = new Set<number>();
  private finish: (reason: Error) => void = () => undefined;
  /** Resolves with the reason once this consumer is dead. */
  readonly ended: Promise<Error>;

  constructor(private readonly parts: ConsumerSessionParts) {
    this.ended = new Promise((resolve) => (this.finish = resolve));
    this.consumer = parts.kafka.consumer({
      groupId: parts.groupId,
      sessionTimeout: parts.sessionTimeoutMs,
      heartbeatInterval: 1_000,
      rebalanceTimeout: parts.rebalanceTimeoutMs,
      metadataMaxAge: metadataMaxAgeMs,
      // A member learns of a rebalance by the heartbeat after a fetch.
      maxWaitTimeInMs: 3_000,
      maxBytesPerPartition: 512 * 1024,
      maxBytes: 5 * 1024 * 1024,
      allowAutoTopicCreation: false,
      retry: {
        initialRetryTime: 100,
        maxRetryTime: 1_000,
        retries: 30,
        restartOnFailure: () => Promise.resolve(false),
      },
    });
    this.listen();
    const everyMs = Math.min(longestCheckGapMs, CHECKED_PART * parts.silentAfterMs());
    this.timer = setInterval(() => this.check(), everyMs);
  }

  /** Whether it is a member with a sign of life in the last seconds. */
  get isConnected(): boolean {
    return this.isMember && performance.now() - this.lastActivityMs < activeWithinMs;
  }

  async start(): Promise<void> {
    try {
      await this.consumer.connect();
      await this.consumer.subscribe({ topics: [...this.parts.topics], fromBeginning: true });
      await this.consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: 3,
        eachBatch: (payload) => this.parts.reader.readBatch(payload),
      });
    } catch (error) {
      this.finish(error as Error);
    }
  }

  async close(atMostMs: number): Promise<void> {
    clearInterval(this.timer);
    await withDeadline(this.leave(), atMostMs, () => undefined).catch(() => undefined);
    this.parts.reader.end();
  }

  async abandon(): Promise<void> {
    await this.close(abandonAfterMs);
  }

  noteActivity(): void {
    this.lastActivityMs = performance.now();
  }

  private async leave(): Promise<void> {
    await withDeadline(this.parts.reader.leave(), commitAtMostMs, () => undefined).catch(() => undefined);
    await this.consumer.disconnect();
  }

  private listen(): void {
    const { consumer } = this;
    const { CRASH, FETCH, GROUP_JOIN, REQUEST } = consumer.events;
    consumer.on(FETCH, ({ payload }) => this.onFetch(payload.nodeId));
    consumer.on(REQUEST, ({ payload }) => {
      if (COORDINATION.has(payload.apiName)) this.noteActivity();
    });
    consumer.on(GROUP_JOIN, () => {
      this.noteActivity();
      this.isMember = true;
      this.fetchedFrom.clear();
      this.parts.reader.onJoined();
      this.parts.onJoin();
    });
    consumer.on(CRASH, ({ payload }) => this.finish(payload.error));
  }

  private onFetch(broker: number): void {
    this.noteActivity();
    // kafkajs fetches from a broker again only after its last batch was handled.
    if (this.fetchedFrom.has(broker) && this.parts.reader.isIdle) this.parts.onIdle();
    this.fetchedFrom.add(broker);
  }

  private check(): void {
    if (performance.now() - this.lastActivityMs > this.parts.silentAfterMs())
      this.finish(new ConsumerSilent('no sign of life'));
  }
}
