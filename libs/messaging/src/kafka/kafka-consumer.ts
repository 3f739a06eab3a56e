import { setTimeout as delay } from 'node:timers/promises';
import type { Kafka } from 'kafkajs';
import { Backoff } from '../consumption/backoff';
import { Pace } from '../consumption/pace';
import { namesOf } from '../consumption/quiet';
import type { BatchRules } from '../consumption/settle-batch';
import { OffsetOutOfRange } from '../errors';
import type { Consumer, ConsumeOptions, ConsumerState, PartitionLag } from '../port';
import { ConsumerLife, Silent } from './consumer-life';
import { notReadable, outOfRange } from './faults';
import { groupLag } from './kafka-lag';
import type { Names } from './names';
import { PartitionReader } from './partition-reader';
import { SilenceLimit } from './silence-limit';

const closeAtMostMs = 15_000;
const defaultMaxBatch = 500;

export interface ConsumerParts {
  readonly newClient: () => Kafka;
  readonly names: Names;
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly silentAfterMs: number;
  readonly chunkMs: number;
}

/** A member of a group that is made anew for as long as it takes, whenever its kafkajs consumer dies or falls silent. */
export class KafkaConsumer implements Consumer {
  private readonly over = new AbortController();
  private readonly running: Promise<void>;
  /** What one life learned of handlers and of silence holds for the next. */
  private readonly paces = new Map<string, Pace>();
  private readonly silence: SilenceLimit;
  private life: ConsumerLife | undefined;
  private hasJoined = false;

  constructor(
    private readonly parts: ConsumerParts,
    private readonly options: ConsumeOptions,
    private readonly rules: BatchRules,
  ) {
    this.silence = new SilenceLimit(parts.silentAfterMs);
    this.running = this.supervise();
  }

  get state(): ConsumerState {
    if (this.over.signal.aborted) return 'away';
    if (!this.hasJoined) return 'joining';
    return this.life?.hears === true ? 'consuming' : 'away';
  }

  async close(): Promise<void> {
    this.over.abort();
    await this.life?.close(closeAtMostMs);
    await this.running;
  }

  lag(): Promise<readonly PartitionLag[]> {
    return groupLag(this.parts.newClient(), this.parts.names, this.options.group, this.options.topics);
  }

  private async supervise(): Promise<void> {
    const { signal } = this.over;
    const backoff = new Backoff(100, 1_000);
    while (!signal.aborted) {
      const life = (this.life = this.newLife(() => backoff.reset()));
      const closed = new Promise<undefined>((resolve) =>
        signal.addEventListener('abort', () => resolve(undefined), { once: true }),
      );
      void life.start();
      const reason = await Promise.race([life.ended, closed]);
      if (reason === undefined) return;
      if (reason instanceof Silent) this.silence.struck();
      await life.drop();
      if (this.isFatal(reason)) return;
      this.rules.logger.warn({ group: this.options.group, error: namesOf(reason) }, 'consumer died, making a new one');
      await delay(backoff.next(), undefined, { signal }).catch(() => undefined);
    }
  }

  private newLife(onJoin: () => void): ConsumerLife {
    const { names, newClient, sessionTimeoutMs, rebalanceTimeoutMs } = this.parts;
    const life: ConsumerLife = new ConsumerLife({
      kafka: newClient(),
      groupId: names.onCluster(this.options.group),
      topics: this.options.topics.map((topic) => names.onCluster(topic)),
      sessionTimeoutMs,
      rebalanceTimeoutMs,
      silentAfterMs: () => this.silence.ms,
      reader: new PartitionReader({
        rules: this.rules,
        topicName: (topic) => names.ours(topic),
        paceOf: (topic) => this.paceOf(topic),
        onHandled: () => life.sign(),
        onCommitted: () => this.silence.progressed(),
      }),
      onJoin: () => {
        this.hasJoined = true;
        onJoin();
      },
      onIdle: () => this.silence.progressed(),
    });
    return life;
  }

  private paceOf(topic: string): Pace {
    const pace = this.paces.get(topic) ?? new Pace(this.options.maxBatch ?? defaultMaxBatch, this.parts.chunkMs);
    this.paces.set(topic, pace);
    return pace;
  }

  private isFatal(reason: Error): boolean {
    const { group } = this.options;
    if (outOfRange(reason))
      this.fail(new OffsetOutOfRange(`group ${group} stands where the log holds nothing any more`, { cause: reason }));
    else if (notReadable(reason))
      this.fail(new Error(`group ${group} cannot read what a topic holds: ${reason.message}`, { cause: reason }));
    return this.over.signal.aborted;
  }

  private fail(error: Error): void {
    this.over.abort();
    this.options.onFatal(error);
  }
}
