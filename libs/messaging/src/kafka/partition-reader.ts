import type { EachBatchPayload } from 'kafkajs';
import { Backoff } from '../consumption/backoff';
import { namesOf } from '../consumption/quiet';
import { settleBatch } from '../consumption/settle-batch';
import type { BatchRules } from '../consumption/settle-batch';
import { mustRejoin } from './faults';
import { toRecord } from './to-record';

const heartbeatMs = 1_000;

/** Keeps the membership alive while a handler runs, and remembers when the group wants to share out its partitions anew. */
class Pulse {
  private rejoin: Error | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(payload: EachBatchPayload) {
    this.timer = setInterval(() => {
      payload.heartbeat().catch((error: unknown) => {
        if (error instanceof Error && mustRejoin(error)) this.rejoin = error;
      });
    }, heartbeatMs);
  }

  get steady(): boolean {
    return this.rejoin === undefined;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** kafkajs joins again only when it sees the error itself. */
  report(): void {
    if (this.rejoin !== undefined) throw this.rejoin;
  }
}

export interface ReaderParts {
  readonly rules: BatchRules;
  readonly maxBatch: number;
  topicName(onCluster: string): string;
}

/** Handles the batches of one life of a consumer. Nothing that a handler throws gets out: kafkajs would stop for ever on a TypeError. */
export class PartitionReader {
  private ended = false;
  private generation = 0;
  private readonly backoffs = new Map<string, Backoff>();
  private readonly unsaved = new Map<string, () => Promise<void>>();

  constructor(private readonly parts: ReaderParts) {}

  /** The group shared out its partitions: what was read before must not be committed any more. */
  joined(): void {
    this.generation += 1;
    this.unsaved.clear();
  }

  /** This life of the consumer is over. A handler that still runs is not committed. */
  end(): void {
    this.ended = true;
    this.unsaved.clear();
  }

  /** Commits again what could not be committed; without this a quiet partition would stay uncommitted. */
  async saveAgain(): Promise<void> {
    for (const [place, commit] of [...this.unsaved]) {
      const done = await commit().then(
        () => true,
        () => false,
      );
      if (done && this.unsaved.get(place) === commit) this.unsaved.delete(place);
    }
  }

  async read(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const { generation } = this;
    const ours = (): boolean => !this.ended && this.generation === generation;
    const topic = this.parts.topicName(batch.topic);
    const records = batch.messages.map((message) => toRecord(topic, batch.partition, message));
    const pulse = new Pulse(payload);
    try {
      for (let at = 0; at < records.length; at += this.parts.maxBatch) {
        if (!ours() || !pulse.steady || !payload.isRunning() || payload.isStale()) break;
        const chunk = records.slice(at, at + this.parts.maxBatch);
        const { settled, fault } = await settleBatch(chunk, this.parts.rules);
        const last = chunk[settled - 1];
        if (last && ours()) await this.commit(payload, last.offset);
        if (fault !== undefined && ours()) {
          this.pause(payload, fault);
          break;
        }
        this.backoffs.delete(`${batch.topic} ${batch.partition}`);
      }
    } finally {
      pulse.stop();
    }
    pulse.report();
  }

  private async commit(payload: EachBatchPayload, settledOffset: string): Promise<void> {
    const { batch } = payload;
    payload.resolveOffset(settledOffset);
    // The end of a batch may hold control records, which no handler sees.
    const whole = settledOffset === batch.messages.at(-1)?.offset;
    const offset = (BigInt(whole ? batch.lastOffset() : settledOffset) + 1n).toString();
    const place = `${batch.topic} ${batch.partition}`;
    const save = () => payload.commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions: [{ partition: batch.partition, offset }] }] });
    this.unsaved.delete(place);
    try {
      await save();
    } catch (error) {
      if (mustRejoin(error)) throw error;
      this.parts.rules.logger.warn({ topic: batch.topic, partition: batch.partition, error: namesOf(error) }, 'commit failed, the next one covers it');
      this.unsaved.set(place, save);
    }
  }

  private pause(payload: EachBatchPayload, fault: unknown): void {
    const { topic, partition } = payload.batch;
    const place = `${topic} ${partition}`;
    const backoff = this.backoffs.get(place) ?? new Backoff(200, 5_000);
    this.backoffs.set(place, backoff);
    const waitMs = backoff.next();
    this.parts.rules.logger.warn({ group: this.parts.rules.group, topic, partition, waitMs, error: namesOf(fault) }, 'consumption pauses');
    const resume = payload.pause();
    setTimeout(() => {
      if (!this.ended) resume();
    }, waitMs).unref();
  }
}
