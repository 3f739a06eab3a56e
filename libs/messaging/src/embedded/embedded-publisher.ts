import { withDeadline } from '@opendsr-service/contracts';
import type { SqliteFile } from '@opendsr-service/storage';
import { PublishRefused, PublishTimeout } from '../errors';
import type { Publisher, PublishOptions } from '../port';
import { sizedRecord, type OutgoingRecord } from '../records';
import { append, findTopic } from './tables';
import type { AppendNotifier } from './append-notifier';

const defaultDeadlineMs = 15_000;
const unknownTopic = (topic: string) => new PublishRefused('unknown-topic', `topic ${topic} does not exist`);

/** Concurrent publications share one flush to disk. */
export class EmbeddedPublisher implements Publisher {
  private closed = false;

  constructor(
    private readonly file: SqliteFile,
    private readonly notifier: AppendNotifier,
    private readonly now: () => number,
  ) {}

  get available(): boolean {
    return this.file.isWritable;
  }

  async publish(topic: string, records: readonly OutgoingRecord[], options: PublishOptions = {}): Promise<void> {
    if (this.closed) throw new PublishRefused('closed', 'the log is closed');
    // Kafka's limit holds here too, so that what works on one log works on the other (decision 5).
    const accepted = records.map((record) => sizedRecord(topic, record).message);
    const written = this.file
      .write((db) => {
        const row = findTopic(db, topic);
        if (!row) throw unknownTopic(topic);
        append(db, row, accepted, this.now());
      })
      .then(() => this.notifier.notify(topic));
    await withDeadline(written, options.deadlineMs ?? defaultDeadlineMs, () => {
      throw new PublishTimeout(`no acknowledgement from ${topic} in time`);
    });
  }

  close(): void {
    this.closed = true;
  }
}
