import { setTimeout as delay } from 'node:timers/promises';
import { isStorageUnavailable, SqliteFileUnusable, type SqliteFile } from '@opendsr-service/storage';
import { Backoff } from '../consumption/backoff';
import { CHUNK_MS, ChunkSizer } from '../consumption/chunk-sizer';
import { ReadPace } from '../consumption/read-pace';
import { ErrorSummary } from '../error-summary';
import { handlingOf, settleBatch } from '../consumption/settle-batch';
import type { BatchHandling, Settlement } from '../consumption/settle-batch';
import { OffsetOutOfRange, UnknownTopic } from '../errors';
import type { ConsumeOptions, Consumer, ConsumerState, PartitionLag } from '../port';
import type { LogRecord } from '../records';
import type { AppendNotifier } from './append-notifier';
import type { ReaderLocks } from './reader-locks';
import { commit, committed, findTopic, lagsOf, readFrom } from './tables';

const defaultMaxBatch = 500;

interface EmbeddedParts {
  readonly file: SqliteFile;
  readonly notifier: AppendNotifier;
  readonly locks: ReaderLocks;
}

/** A group member on the embedded log. A topic has one partition, so one member at a time reads it. */
export class EmbeddedConsumer implements Consumer {
  private readonly rules: BatchHandling;
  private readonly over = new AbortController();
  private readonly running: Promise<unknown>;
  private failed = false;
  private hasLeft = false;

  constructor(
    private readonly parts: EmbeddedParts,
    private readonly options: ConsumeOptions,
  ) {
    this.rules = handlingOf(options);
    this.running = Promise.all(options.topics.map((topic) => this.member(topic))).finally(() => (this.hasLeft = true));
  }

  get state(): ConsumerState {
    return this.failed || this.over.signal.aborted ? 'away' : 'consuming';
  }

  isMemberOf(group: string): boolean {
    return this.options.group === group && !this.hasLeft;
  }

  async close(): Promise<void> {
    this.over.abort();
    await this.running;
  }

  lag(): Promise<readonly PartitionLag[]> {
    return Promise.resolve(this.parts.file.read((db) => lagsOf(db, this.options.group, this.options.topics)));
  }

  private async member(topic: string): Promise<void> {
    const release = await this.parts.locks.acquire(`${this.options.group} ${topic}`, this.over.signal);
    if (!release) return;
    this.rules.parking.assigned();
    try {
      await this.read(topic);
    } catch (error) {
      this.fail(error);
    } finally {
      release();
    }
  }

  private fail(error: unknown): void {
    if (this.failed) return;
    this.failed = true;
    this.over.abort();
    this.options.onFatal(error instanceof Error ? error : new Error('the consumer ended', { cause: error }));
  }

  private async read(topic: string): Promise<void> {
    const { signal } = this.over;
    const backoff = new Backoff(200, 5_000);
    const chunkSizer = new ChunkSizer(this.options.maxBatch ?? defaultMaxBatch, CHUNK_MS);
    const pace = new ReadPace();
    while (!signal.aborted) {
      const seenAppends = this.parts.notifier.appendCount(topic);
      const { topicId, records } = this.nextRecords(topic, chunkSizer.size);
      if (records.length === 0) {
        await this.parts.notifier.wait(topic, seenAppends, signal);
        continue;
      }
      pace.begin();
      const begunMs = performance.now();
      const { settled, fault } = await this.settle(topicId, records);
      if (fault !== undefined) {
        await this.pause(topic, backoff.next(), settled, fault);
        continue;
      }
      const isCaughtUp = records.length < chunkSizer.size;
      chunkSizer.recordChunk(settled, performance.now() - begunMs);
      backoff.reset();
      if (isCaughtUp) await pace.gap(signal);
    }
  }

  private nextRecords(topic: string, most: number): { topicId: number; records: readonly LogRecord[] } {
    return this.parts.file.read((db) => {
      const row = findTopic(db, topic);
      if (!row) throw new UnknownTopic(topic);
      const from = committed(db, this.options.group, row.id) ?? row.first;
      if (from < row.first || from > row.next) {
        throw new OffsetOutOfRange(
          `group ${this.options.group} stands at ${from} of ${topic}, which holds ${row.first} to ${row.next}`,
        );
      }
      return { topicId: row.id, records: readFrom(db, row, from, most) };
    });
  }

  private async settle(topicId: number, records: readonly LogRecord[]): Promise<Settlement> {
    const settlement = await settleBatch(records, this.rules);
    if (settlement.settled === 0) return settlement;
    const next = Number(records[settlement.settled - 1]?.offset) + 1;
    try {
      await this.parts.file.write((db) => commit(db, this.options.group, topicId, next));
    } catch (fault) {
      // A file that is busy or full may be free again: what was handled comes again then. One that is unusable stays so.
      if (fault instanceof SqliteFileUnusable || !isStorageUnavailable(fault)) throw fault;
      return { settled: 0, fault };
    }
    return settlement;
  }

  private async pause(topic: string, waitMs: number, settled: number, fault: unknown): Promise<void> {
    this.rules.logger.warn(
      { group: this.options.group, topic, settled, waitMs, error: new ErrorSummary(fault) },
      'consumption pauses',
    );
    await delay(waitMs, undefined, { signal: this.over.signal }).catch(() => undefined);
  }
}
