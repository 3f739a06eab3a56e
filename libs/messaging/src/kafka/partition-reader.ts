import type { EachBatchPayload } from 'kafkajs';
import { Backoff } from '../consumption/backoff';
import type { ChunkSizer } from '../consumption/chunk-sizer';
import { ErrorSummary } from '../error-summary';
import { settleBatch } from '../consumption/settle-batch';
import type { BatchHandling } from '../consumption/settle-batch';
import { mustRejoin, evicted } from './faults';
import { toRecord } from './to-record';

const heartbeatMs = 1_000;
/** How long a settled position may wait for those of other partitions. After a crash these records come again. */
export const COMMIT_EVERY_MS = 250;
export const COMMIT_AGAIN_MS = 1_000;

interface Position {
  readonly topic: string;
  readonly partition: number;
  /** Of the next record. */
  readonly offset: string;
}

interface ReaderParts {
  readonly handling: BatchHandling;
  topicName(onCluster: string): string;
  chunkSizerOf(topic: string): ChunkSizer;
  onHandled(): void;
  onCommitted(): void;
}

/** Handles batches of one consumer session. Never lets a handler's error out: kafkajs would stop. */
export class PartitionReader {
  private ended = false;
  private leaving = false;
  private generation = 0;
  private batchesInProgress = 0;
  /** Error of a rebalance. kafkajs rejoins only when it sees the error itself, once nothing runs. */
  private rejoin: Error | undefined;
  /** The group has gone on without us. To ask it further is no use, and its refusals would pass for signs of life. */
  private isEvicted = false;
  private readonly backoffs = new Map<string, Backoff>();
  private readonly uncommitted = new Map<string, Position>();
  private commitTimer: NodeJS.Timeout | undefined;
  /** One commit at a time, so that no position is set back. */
  private committing: Promise<void> = Promise.resolve();
  private lastPayload: EachBatchPayload | undefined;

  constructor(private readonly parts: ReaderParts) {}

  get isIdle(): boolean {
    return this.batchesInProgress === 0;
  }

  /** The group shared out its partitions: what was read before must not be committed any more. */
  onJoined(): void {
    this.generation += 1;
    this.rejoin = undefined;
    this.isEvicted = false;
    this.uncommitted.clear();
    this.parts.handling.parking.assigned();
  }

  /** Starts no further chunk and commits what is settled. Running chunks are committed when they end. */
  async leave(): Promise<void> {
    this.leaving = true;
    await this.commitSettled();
  }

  end(): void {
    this.ended = true;
    this.uncommitted.clear();
    clearTimeout(this.commitTimer);
  }

  /** Commits what is settled in all partitions, and what could not be committed before. Never throws. */
  commitSettled(): Promise<void> {
    clearTimeout(this.commitTimer);
    this.commitTimer = undefined;
    return (this.committing = this.committing.then(() => this.commitPositions()));
  }

  async readBatch(payload: EachBatchPayload): Promise<void> {
    const { generation } = this;
    const ours = (): boolean => !this.ended && this.generation === generation;
    const pulse = setInterval(() => void this.heartbeat(payload, ours), heartbeatMs);
    this.batchesInProgress += 1;
    try {
      await this.readChunks(payload, ours);
    } finally {
      this.batchesInProgress -= 1;
      clearInterval(pulse);
    }
    // Otherwise kafkajs fetches the rest again and again until it stops.
    if (this.leaving) payload.pause();
    // A rejoin resets the field.
    const { rejoin } = this;
    if (this.leaving || rejoin !== undefined) await this.commitSettled();
    if (rejoin !== undefined) throw rejoin;
  }

  private async readChunks(payload: EachBatchPayload, ours: () => boolean): Promise<void> {
    const { batch } = payload;
    const { parts } = this;
    const topic = parts.topicName(batch.topic);
    const sizer = parts.chunkSizerOf(topic);
    const records = batch.messages.map((message) => toRecord(topic, batch.partition, message));
    for (let at = 0; at < records.length && ours() && this.continues(payload);) {
      const chunk = records.slice(at, at + sizer.size);
      const begunMs = performance.now();
      const { settled, fault } = await settleBatch(chunk, parts.handling);
      at += settled;
      if (settled > 0) parts.onHandled();
      const last = chunk[settled - 1];
      if (last && ours()) this.onSettled(payload, last.offset);
      if (fault !== undefined) {
        if (ours()) this.pausePartition(payload, fault);
        return;
      }
      sizer.recordChunk(settled, performance.now() - begunMs);
      this.backoffs.delete(`${batch.topic} ${batch.partition}`);
    }
  }

  private continues(payload: EachBatchPayload): boolean {
    return !this.leaving && this.rejoin === undefined && payload.isRunning() && !payload.isStale();
  }

  /** Keeps the membership while a handler runs, but not that of an abandoned consumer. */
  private async heartbeat(payload: EachBatchPayload, ours: () => boolean): Promise<void> {
    if (!ours() || this.isEvicted) return;
    try {
      await payload.heartbeat();
    } catch (error) {
      if (error instanceof Error && mustRejoin(error) && ours()) this.onRefused(error);
    }
  }

  private onRefused(error: Error): void {
    this.rejoin = error;
    if (!evicted(error)) return;
    this.isEvicted = true;
    this.uncommitted.clear();
  }

  private onSettled(payload: EachBatchPayload, settledOffset: string): void {
    const { topic, partition, messages } = payload.batch;
    payload.resolveOffset(settledOffset);
    // A batch may end with control records, which no handler sees.
    const whole = settledOffset === messages.at(-1)?.offset;
    const offset = (BigInt(whole ? payload.batch.lastOffset() : settledOffset) + 1n).toString();
    this.uncommitted.set(`${topic} ${partition}`, { topic, partition, offset });
    this.lastPayload = payload;
    this.commitIn(COMMIT_EVERY_MS);
  }

  private commitIn(ms: number): void {
    this.commitTimer ??= setTimeout(() => void this.commitSettled(), ms);
  }

  private async commitPositions(): Promise<void> {
    const { generation, lastPayload } = this;
    const positions = new Map(this.uncommitted);
    if (positions.size === 0 || this.isEvicted) return;
    try {
      await lastPayload?.commitOffsetsIfNecessary({ topics: byTopic([...positions.values()]) });
      this.parts.onCommitted();
      for (const [id, position] of positions) if (this.uncommitted.get(id) === position) this.uncommitted.delete(id);
    } catch (error) {
      if (this.ended || this.generation !== generation) return;
      this.onCommitFailed(error);
      this.commitIn(COMMIT_AGAIN_MS);
    }
  }

  private onCommitFailed(error: unknown): void {
    if (error instanceof Error && mustRejoin(error)) {
      // While nothing runs, kafkajs learns it from its own heartbeat.
      if (!this.isIdle) this.onRefused(error);
      return;
    }
    this.parts.handling.logger.warn(
      { group: this.parts.handling.group, error: new ErrorSummary(error) },
      'commit failed, the next one covers it',
    );
  }

  private pausePartition(payload: EachBatchPayload, fault: unknown): void {
    const { topic, partition } = payload.batch;
    const partitionId = `${topic} ${partition}`;
    const backoff = this.backoffs.get(partitionId) ?? new Backoff(200, 5_000);
    this.backoffs.set(partitionId, backoff);
    const waitMs = backoff.next();
    this.parts.handling.logger.warn(
      { group: this.parts.handling.group, topic, partition, waitMs, error: new ErrorSummary(fault) },
      'consumption pauses',
    );
    const resume = payload.pause();
    setTimeout(() => {
      if (!this.ended) resume();
    }, waitMs).unref();
  }
}

const byTopic = (positions: readonly Position[]) =>
  [...Map.groupBy(positions, ({ topic }) => topic)].map(([topic, partitions]) => ({
    topic,
    partitions: partitions.map(({ partition, offset }) => ({ partition, offset })),
  }));
