import type { EachBatchPayload } from 'kafkajs';
import { Backoff } from '../consumption/backoff';
import type { Pace } from '../consumption/pace';
import { namesOf } from '../consumption/quiet';
import { settleBatch } from '../consumption/settle-batch';
import type { BatchRules } from '../consumption/settle-batch';
import { mustRejoin, putOut } from './faults';
import { toRecord } from './to-record';

const heartbeatMs = 1_000;

export interface ReaderParts {
  readonly rules: BatchRules;
  topicName(onCluster: string): string;
  /** How many records of a topic are handed out at once. */
  paceOf(topic: string): Pace;
  /** Told when records were handled. */
  onHandled(): void;
  /** Told when a position was committed. */
  onCommitted(): void;
}

/** Handles the batches of one life of a consumer. Nothing that a handler throws gets out: kafkajs would stop for ever on a TypeError. */
export class PartitionReader {
  private ended = false;
  private leaving = false;
  private generation = 0;
  private inHand = 0;
  /** The group shares out its partitions anew. kafkajs joins again only when it sees the error itself, once nothing runs any more. */
  private rejoin: Error | undefined;
  /** The group has gone on without us. To ask it further is no use, and its refusals would pass for signs of life. */
  private isOut = false;
  private readonly backoffs = new Map<string, Backoff>();
  private readonly unsaved = new Map<string, () => Promise<void>>();

  constructor(private readonly parts: ReaderParts) {}

  /** Whether no batch is in hand. */
  get isIdle(): boolean {
    return this.inHand === 0;
  }

  /** The group shared out its partitions: what was read before must not be committed any more. */
  joined(): void {
    this.generation += 1;
    this.rejoin = undefined;
    this.isOut = false;
    this.unsaved.clear();
  }

  /** Begins no further chunk, and commits what could not be committed before. What still runs is committed when it is done. */
  async leave(): Promise<void> {
    this.leaving = true;
    await this.saveAgain();
  }

  /** This life of the consumer is over. A handler that still runs is not committed. */
  end(): void {
    this.ended = true;
    this.unsaved.clear();
  }

  /** Commits again what could not be committed; without this a quiet partition would stay uncommitted. */
  async saveAgain(): Promise<void> {
    for (const [place, commit] of [...this.unsaved]) {
      // A later commit, or a new share-out of the partitions, may have overtaken it: it would set the position back.
      if (this.unsaved.get(place) !== commit) continue;
      const done = await commit().then(
        () => true,
        () => false,
      );
      if (done && this.unsaved.get(place) === commit) this.unsaved.delete(place);
    }
  }

  async read(payload: EachBatchPayload): Promise<void> {
    const { generation } = this;
    const ours = (): boolean => !this.ended && this.generation === generation;
    const pulse = setInterval(() => void this.beat(payload, ours), heartbeatMs);
    this.inHand += 1;
    try {
      await this.readChunks(payload, ours);
    } finally {
      this.inHand -= 1;
      clearInterval(pulse);
    }
    // What is left would be fetched again and again until kafkajs stops.
    if (this.leaving) payload.pause();
    // Joining again, which another batch may bring about meanwhile, forgets it.
    const { rejoin } = this;
    if (rejoin === undefined) return;
    await this.saveAgain();
    throw rejoin;
  }

  private async readChunks(payload: EachBatchPayload, ours: () => boolean): Promise<void> {
    const { batch } = payload;
    const { parts } = this;
    const topic = parts.topicName(batch.topic);
    const pace = parts.paceOf(topic);
    const records = batch.messages.map((message) => toRecord(topic, batch.partition, message));
    for (let at = 0; at < records.length && ours() && this.goesOn(payload);) {
      const chunk = records.slice(at, at + pace.size);
      const begunMs = performance.now();
      const { settled, fault } = await settleBatch(chunk, parts.rules);
      at += settled;
      if (settled > 0) parts.onHandled();
      const last = chunk[settled - 1];
      if (last && ours()) await this.commit(payload, last.offset, ours);
      if (fault !== undefined) {
        if (ours()) this.pause(payload, fault);
        return;
      }
      pace.took(settled, performance.now() - begunMs);
      this.backoffs.delete(`${batch.topic} ${batch.partition}`);
    }
  }

  private goesOn(payload: EachBatchPayload): boolean {
    return !this.leaving && this.rejoin === undefined && payload.isRunning() && !payload.isStale();
  }

  /** Keeps the membership alive while a handler runs. A consumer that was given up is not kept: its partitions go to others. */
  private async beat(payload: EachBatchPayload, ours: () => boolean): Promise<void> {
    if (!ours() || this.isOut) return;
    try {
      await payload.heartbeat();
    } catch (error) {
      if (error instanceof Error && mustRejoin(error) && ours()) this.refused(error);
    }
  }

  private refused(error: Error): void {
    this.rejoin = error;
    if (!putOut(error)) return;
    this.isOut = true;
    this.unsaved.clear();
  }

  private async commit(payload: EachBatchPayload, settledOffset: string, ours: () => boolean): Promise<void> {
    const { batch } = payload;
    payload.resolveOffset(settledOffset);
    // The end of a batch may hold control records, which no handler sees.
    const whole = settledOffset === batch.messages.at(-1)?.offset;
    const offset = (BigInt(whole ? batch.lastOffset() : settledOffset) + 1n).toString();
    const place = `${batch.topic} ${batch.partition}`;
    const save = async (): Promise<void> => {
      await payload.commitOffsetsIfNecessary({
        topics: [{ topic: batch.topic, partitions: [{ partition: batch.partition, offset }] }],
      });
      this.parts.onCommitted();
    };
    this.unsaved.delete(place);
    try {
      await save();
    } catch (error) {
      if (!ours()) return;
      if (error instanceof Error && mustRejoin(error)) {
        this.refused(error);
        return;
      }
      if (this.isOut) return;
      this.parts.rules.logger.warn(
        { topic: batch.topic, partition: batch.partition, error: namesOf(error) },
        'commit failed, the next one covers it',
      );
      this.unsaved.set(place, save);
    }
  }

  private pause(payload: EachBatchPayload, fault: unknown): void {
    const { topic, partition } = payload.batch;
    const place = `${topic} ${partition}`;
    const backoff = this.backoffs.get(place) ?? new Backoff(200, 5_000);
    this.backoffs.set(place, backoff);
    const waitMs = backoff.next();
    this.parts.rules.logger.warn(
      { group: this.parts.rules.group, topic, partition, waitMs, error: namesOf(fault) },
      'consumption pauses',
    );
    const resume = payload.pause();
    setTimeout(() => {
      if (!this.ended) resume();
    }, waitMs).unref();
  }
}
