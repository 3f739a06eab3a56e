import type { EachBatchPayload } from 'kafkajs';
import { Backoff } from '../consumption/backoff';
import type { ChunkSizer } from '../consumption/chunk-sizer';
import { ErrorSummary } from '../error-summary';
import { settleBatch } from '../consumption/settle-batch';
import type { BatchHandling } from '../consumption/settle-batch';
import { mustRejoin, evicted } from './faults';
import { toRecord } from './to-record';

const heartbeatMs = 1_000;

export interface ReaderParts {
  readonly handling: BatchHandling;
  topicName(onCluster: string): string;
  chunkSizerOf(topic: string): ChunkSizer;
  onHandled(): void;
  onCommitted(): void;
}

/** Handles batches of one consumer session. Catches every handler error: kafkajs would stop. */
export class PartitionReader {
  private ended = false;
  private leaving = false;
  private generation = 0;
  private batchesInProgress = 0;
  /** Error of a rebalance. kafkajs rejoins only when it gets this error, once nothing runs. */
  private rejoin: Error | undefined;
  /** Further requests of an evicted member would fail, and the refusals would count as signs of life. */
  private isEvicted = false;
  private readonly backoffs = new Map<string, Backoff>();
  private readonly uncommitted = new Map<string, () => Promise<void>>();

  constructor(private readonly parts: ReaderParts) {}

  get isIdle(): boolean {
    return this.batchesInProgress === 0;
  }

  /** After a rebalance, earlier reads must not be committed. */
  onJoined(): void {
    this.generation += 1;
    this.rejoin = undefined;
    this.isEvicted = false;
    this.uncommitted.clear();
  }

  async leave(): Promise<void> {
    this.leaving = true;
    await this.retryCommits();
  }

  end(): void {
    this.ended = true;
    this.uncommitted.clear();
  }

  /** A partition without new records would otherwise stay uncommitted. */
  async retryCommits(): Promise<void> {
    for (const [partitionId, commit] of [...this.uncommitted]) {
      // A later commit or a rebalance supersedes this one.
      if (this.uncommitted.get(partitionId) !== commit) continue;
      const done = await commit().then(
        () => true,
        () => false,
      );
      if (done && this.uncommitted.get(partitionId) === commit) this.uncommitted.delete(partitionId);
    }
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
    // Otherwise kafkajs fetches the rest again until it stops.
    if (this.leaving) payload.pause();
    const { rejoin } = this;
    if (rejoin === undefined) return;
    await this.retryCommits();
    throw rejoin;
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
      if (last && ours()) await this.commit(payload, last.offset, ours);
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

  private async commit(payload: EachBatchPayload, settledOffset: string, ours: () => boolean): Promise<void> {
    const { batch } = payload;
    payload.resolveOffset(settledOffset);
    // A batch may end with control records, which no handler gets.
    const whole = settledOffset === batch.messages.at(-1)?.offset;
    const offset = (BigInt(whole ? batch.lastOffset() : settledOffset) + 1n).toString();
    const partitionId = `${batch.topic} ${batch.partition}`;
    const save = async (): Promise<void> => {
      await payload.commitOffsetsIfNecessary({
        topics: [{ topic: batch.topic, partitions: [{ partition: batch.partition, offset }] }],
      });
      this.parts.onCommitted();
    };
    this.uncommitted.delete(partitionId);
    try {
      await save();
    } catch (error) {
      if (!ours()) return;
      if (error instanceof Error && mustRejoin(error)) {
        this.onRefused(error);
        return;
      }
      if (this.isEvicted) return;
      this.parts.handling.logger.warn(
        { topic: batch.topic, partition: batch.partition, error: new ErrorSummary(error) },
        'commit failed, the next one covers it',
      );
      this.uncommitted.set(partitionId, save);
    }
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
