import { setTimeout as delay } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { Backoff } from '../consumption/backoff';
import { ChunkSizer } from '../consumption/chunk-sizer';
import { ErrorSummary } from '../error-summary';
import { handlingOf, type BatchHandling } from '../consumption/settle-batch';
import { OffsetOutOfRange } from '../errors';
import type { Consumer, ConsumeOptions, ConsumerState, MeasuredPartition } from '../port';
import { untilAborted } from '../until-aborted';
import { ConsumerSession, ConsumerSilent } from './consumer-session';
import { unreadable, outOfRange } from './faults';
import { groupLag } from './kafka-lag';
import type { ClusterNames } from './cluster-names';
import { PartitionReader } from './partition-reader';
import { SilenceLimit } from './silence-limit';

const closeAtMostMs = 15_000;
const defaultMaxBatch = 500;

interface ConsumerParts {
  readonly newClient: () => Kafka;
  readonly names: ClusterNames;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly silentAfterMs: number;
  readonly chunkMs: number;
}

/** A group member that replaces its kafkajs consumer whenever that dies or falls silent. */
export class KafkaConsumer implements Consumer {
  private readonly rules: BatchHandling;
  private readonly over = new AbortController();
  private readonly running: Promise<void>;
  private readonly chunkSizers = new Map<string, ChunkSizer>();
  private readonly silence: SilenceLimit;
  private session: ConsumerSession | undefined;
  private hasJoined = false;

  constructor(
    private readonly parts: ConsumerParts,
    private readonly options: ConsumeOptions,
  ) {
    this.rules = handlingOf(options);
    this.silence = new SilenceLimit(parts.silentAfterMs);
    this.running = this.supervise();
  }

  get state(): ConsumerState {
    if (this.over.signal.aborted) return 'away';
    if (!this.hasJoined) return 'joining';
    return this.session?.isConnected === true ? 'consuming' : 'away';
  }

  async close(): Promise<void> {
    this.over.abort();
    await this.session?.close(closeAtMostMs);
    await this.running;
  }

  lag(): Promise<readonly MeasuredPartition[]> {
    return groupLag(this.parts.newClient(), this.parts.names, this.options.group, this.options.topics);
  }

  private async supervise(): Promise<void> {
    const { signal } = this.over;
    const backoff = new Backoff(100, 1_000);
    while (!signal.aborted) {
      const session = (this.session = this.newSession(() => backoff.reset()));
      void session.start();
      const reason = await untilAborted(session.ended, signal).catch(() => undefined);
      // This consumer was closed.
      if (reason === undefined) return;
      if (reason instanceof ConsumerSilent) this.silence.struck();
      await session.abandon();
      if (this.isFatal(reason)) return;
      this.rules.logger.warn(
        { group: this.options.group, error: new ErrorSummary(reason) },
        'consumer died, making a new one',
      );
      await delay(backoff.next(), undefined, { signal }).catch(() => undefined);
    }
  }

  private newSession(onJoin: () => void): ConsumerSession {
    const { names, newClient, sessionTimeoutMs, rebalanceTimeoutMs } = this.parts;
    const session: ConsumerSession = new ConsumerSession({
      kafka: newClient(),
      groupId: names.toCluster(this.options.group),
      topics: this.options.topics.map((topic) => names.toCluster(topic)),
      sessionTimeoutMs,
      rebalanceTimeoutMs,
      silentAfterMs: () => this.silence.ms,
      reader: new PartitionReader({
        handling: this.rules,
        topicName: (topic) => names.fromCluster(topic),
        chunkSizerOf: (topic) => this.chunkSizerOf(topic),
        onHandled: () => session.noteActivity(),
        onCommitted: () => this.silence.progressed(),
      }),
      onJoin: () => {
        this.hasJoined = true;
        onJoin();
      },
      onIdle: () => this.silence.progressed(),
    });
    return session;
  }

  private chunkSizerOf(topic: string): ChunkSizer {
    const sizer =
      this.chunkSizers.get(topic) ?? new ChunkSizer(this.options.maxBatch ?? defaultMaxBatch, this.parts.chunkMs);
    this.chunkSizers.set(topic, sizer);
    return sizer;
  }

  private isFatal(reason: Error): boolean {
    const { group } = this.options;
    if (outOfRange(reason))
      this.fail(
        new OffsetOutOfRange(`the committed offset of group ${group} is before the first record of the topic`, {
          cause: reason,
        }),
      );
    else if (unreadable(reason))
      this.fail(new Error(`group ${group} cannot read what a topic holds: ${reason.message}`, { cause: reason }));
    return this.over.signal.aborted;
  }

  private fail(error: Error): void {
    this.over.abort();
    this.options.onFatal(error);
  }
}
