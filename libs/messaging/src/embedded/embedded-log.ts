import { SqliteFile } from '@opendsr-service/storage';
import { GroupInUse, LogAway } from '../errors';
import { ErrorSummary } from '../error-summary';
import type {
  Consumer,
  ConsumeOptions,
  EventLog,
  KeyQuestion,
  KeyRead,
  KeyReadDenied,
  MessagingLogger,
  PartitionLag,
} from '../port';
import type { Positions } from '../records';
import { AppendNotifier } from './append-notifier';
import { EmbeddedConsumer } from './embedded-consumer';
import { EmbeddedPublisher } from './embedded-publisher';
import { EmbeddedTopics } from './embedded-topics';
import { OtherWriters } from './other-writers';
import { readKey } from './read-key';
import { readTopic } from './read-topic';
import type { ReadRequest } from './read-topic';
import { ReaderLocks } from './reader-locks';
import { createTables, deletePositions, lagsOf } from './tables';

export interface EmbeddedLogOptions {
  /** The file or its path. An open file stays open when the log is closed. */
  readonly file: SqliteFile | string;
  readonly now: () => number;
  readonly logger: MessagingLogger;
  /** How often expired records are deleted; every minute by default. */
  readonly sweepEveryMs?: number;
}

/** The event log of a single process in one SQLite file (decision 5): one partition for each topic. */
export class EmbeddedLog implements EventLog {
  readonly kind = 'embedded';
  readonly publisher: EmbeddedPublisher;
  readonly topics: EmbeddedTopics;
  private readonly notifier = new AppendNotifier();
  private readonly locks = new ReaderLocks();
  private readonly consumers = new Set<EmbeddedConsumer>();
  private readonly closed = new AbortController();
  private readonly sweeper: NodeJS.Timeout;
  private others: OtherWriters | undefined;
  private sweeping: Promise<void> = Promise.resolve();

  private constructor(
    private readonly file: SqliteFile,
    private readonly options: EmbeddedLogOptions,
  ) {
    this.publisher = new EmbeddedPublisher(file, this.notifier, options.now);
    this.topics = new EmbeddedTopics(file, options.now);
    this.sweeper = setInterval(() => this.sweep(), options.sweepEveryMs ?? 60_000).unref();
  }

  static async open(options: EmbeddedLogOptions): Promise<EmbeddedLog> {
    const file = typeof options.file === 'string' ? SqliteFile.open(options.file) : options.file;
    await file.write(createTables);
    return new EmbeddedLog(file, options);
  }

  consume(options: ConsumeOptions): Promise<Consumer> {
    // Before the first read, so that no write after it is missed.
    this.others ??= new OtherWriters(this.file, () => this.notifier.notifyAll());
    const parts = { file: this.file, notifier: this.notifier, locks: this.locks };
    const consumer = new EmbeddedConsumer(parts, options);
    this.consumers.add(consumer);
    return Promise.resolve(consumer);
  }

  read(topic: string, from: Positions, handle: ReadRequest['handle']): Promise<Positions> {
    return readTopic(this.file, { topic, from, handle, closed: this.closed.signal });
  }

  readKey(question: KeyQuestion): Promise<readonly (KeyRead | KeyReadDenied)[]> {
    return readKey(this.file, question, this.closed.signal);
  }

  openPublisher(): Promise<void> {
    return Promise.resolve();
  }

  lag(group: string, topics: readonly string[]): Promise<readonly PartitionLag[]> {
    return Promise.resolve(this.file.read((db) => lagsOf(db, group, topics)));
  }

  hasMembers(group: string): Promise<boolean> {
    return Promise.resolve([...this.consumers].some((consumer) => consumer.isMemberOf(group)));
  }

  async rewind(group: string): Promise<void> {
    if (await this.hasMembers(group)) throw new GroupInUse(group);
    await this.file.write((db) => deletePositions(db, group));
  }

  async close(): Promise<void> {
    this.closed.abort(new LogAway('the log is closed'));
    clearInterval(this.sweeper);
    this.others?.close();
    this.publisher.close();
    await Promise.all([...this.consumers].map((consumer) => consumer.close()));
    await this.sweeping;
    if (typeof this.options.file === 'string') await this.file.close();
  }

  /** The next sweep retries what failed. */
  private sweep(): void {
    this.sweeping = this.sweeping
      .then(() => this.topics.sweep())
      .catch((error: unknown) =>
        this.options.logger.warn({ error: new ErrorSummary(error) }, 'expired records could not be deleted'),
      );
  }
}
