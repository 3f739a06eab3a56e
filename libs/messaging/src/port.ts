import type { LogRecord, OutgoingRecord, Positions, Verdict } from './records';
import type { Parking } from './consumption/parking';

export interface PublishOptions {
  /** Acknowledgement deadline; 15,000 by default, longer than a failover of the cluster. */
  readonly deadlineMs?: number;
}

export interface Publisher {
  /**
   * Resolves when every record is acknowledged: on `min.insync.replicas` brokers, or flushed to disk. Rejects with
   * PublishTimeout (may still be written later) or PublishRefused (certainly not accepted).
   */
  publish(topic: string, records: readonly OutgoingRecord[], options?: PublishOptions): Promise<void>;
  /**
   * False while records wait and none was acknowledged for a second; waiting records are retried. Embedded: while the
   * disk is full or fails.
   */
  readonly available: boolean;
}

/** The declared shape of a topic. `partitions` never changes; a `retentionMs` of -1 keeps records for ever. */
export interface TopicDefinition {
  readonly name: string;
  readonly partitions: number;
  readonly retentionMs: number;
  readonly segmentMs?: number;
  /** Keeps at least the last record of each key, in place of all. */
  readonly isCompacted?: true;
}

export interface Replication {
  readonly replication: number;
  readonly minIsr: number;
}

export interface TopicsReport {
  readonly created: readonly string[];
  readonly existing: readonly string[];
}

export interface TopicState {
  readonly name: string;
  readonly exists: boolean;
  /** One line for each difference, with the topic's name; a topic that does not exist has none. */
  readonly differences: readonly string[];
  /** Lines about differences that do no harm to the services: a longer retention. */
  readonly tolerated: readonly string[];
}

export interface Topics {
  /** Creates missing topics and changes no existing one. Resolves when the log describes all of them. */
  apply(definitions: readonly TopicDefinition[], replication: Replication): Promise<TopicsReport>;
  compare(definitions: readonly TopicDefinition[], replication: Replication): Promise<readonly TopicState[]>;
  /** Gives existing topics the retention of their definitions. Only a log without an operator of its own has it. */
  retain?(definitions: readonly TopicDefinition[]): Promise<void>;
}

/** The logger of the consumer loop. */
export interface MessagingLogger {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface ConsumeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /** Returns one verdict for each record, in their order. All records of a call are of one topic and partition. */
  handle(records: readonly LogRecord[]): Promise<readonly Verdict[]>;
  readonly parking: Parking;
  /** Whether an error means that a store or server is away: the record is then retried for ever. */
  isInfrastructureError(error: unknown): boolean;
  /** The consumer has ended for good; the process must stop. Called at most once. */
  onFatal(error: Error): void;
  /** The most records of one call, 500 by default. */
  readonly maxBatch?: number;
  readonly logger?: MessagingLogger;
  onSkipped?(topic: string, count: number): void;
}

export interface PartitionLag {
  readonly topic: string;
  readonly partition: number;
  readonly lag: number;
  /** The offset of the next record, as decimal text: all records before `end - lag` are settled. */
  readonly end: string;
}

/** A partition whose brokers are all away: it is neither read nor written, and its lag is unknown. */
interface LeaderlessPartition extends Pick<PartitionLag, 'topic' | 'partition'> {
  readonly lag: undefined;
  readonly end: undefined;
}

export type MeasuredPartition = PartitionLag | LeaderlessPartition;

/** `joining`: not a member yet; `away`: no sign of life from the log for some seconds, or closed. */
export type ConsumerState = 'joining' | 'consuming' | 'away';

export interface Consumer {
  /** Finishes the running batch, commits it, leaves the group. */
  close(): Promise<void>;
  /** From memory: cheap to call often. */
  readonly state: ConsumerState;
  /** The lag of the whole group. Rejects while the log is away. */
  lag(): Promise<readonly MeasuredPartition[]>;
}

export interface ReadOptions {
  /** How long it waits for the next records; 60,000 by default. The time of `handle` does not count. */
  readonly deadlineMs?: number;
}

/** What ends a read of one key before the present end, over all of its topics. */
export interface KeyReadBounds {
  /** Records of the key. */
  readonly records: number;
  /** Bytes of keys and values, of whatever key: a log has no index of keys. */
  readonly bytes: number;
  readonly timeMs: number;
}

export type KeyReadBound = 'records' | 'bytes' | 'time';

export interface KeyReadStart {
  readonly topic: string;
  /** An offset, or the time of the first record that counts. */
  readonly from: string | Date;
}

export interface KeyQuestion {
  readonly key: string;
  /** Read one after the other. */
  readonly starts: readonly KeyReadStart[];
  readonly bounds: KeyReadBounds;
}

/** What one topic has of a key, in the partition where a publisher of this service puts it. */
export interface KeyRead {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly LogRecord[];
  /** The offset at which the next read goes on. */
  readonly next: string;
  /** The bound that ended it; absent: it came to the present end. */
  readonly stoppedBy?: KeyReadBound;
  /** The time of the last record that was read, of whatever key; absent: none was read. */
  readonly readToMs?: number;
  readonly bytes: number;
  /**
   * Present where the read began at the first record that is left, and earlier ones are gone: the time of that one; null:
   * none is left.
   */
  readonly leftFromMs?: number | null;
}

/** The log does not let this process read the topic. */
export interface KeyReadDenied {
  readonly topic: string;
  readonly isDenied: true;
}

/** The event log (decisions 3 and 6). Exposes no type of a client library, so that it can be replaced. */
export interface EventLog {
  readonly kind: 'embedded' | 'kafka';
  readonly publisher: Publisher;
  readonly topics: Topics;
  /**
   * Connects the publisher for these topics: resolves once the log has acknowledged the producer, so that the first
   * publish waits for no connection. Rejects with LogAway after `deadlineMs`, or PublishRefused for an unknown topic.
   */
  openPublisher(topics: readonly string[], deadlineMs: number): Promise<void>;
  /** Joins the group and reads from its committed position, else the beginning. Resolves before the join. */
  consume(options: ConsumeOptions): Promise<Consumer>;
  /**
   * Reads outside of any consumer group's position, from `from` to the present end: batches of one partition, one at a time. A partition that
   * `from` does not name, or names out of range, is read from its beginning. Returns the positions after the records
   * read. Rejects with LogAway while the log is away, and with the error of `handle`.
   */
  read(
    topic: string,
    from: Positions,
    handle: (records: readonly LogRecord[]) => Promise<void>,
    options?: ReadOptions,
  ): Promise<Positions>;
  /**
   * Finds the records of one key by reading its partition, without a group. The answer ends with the topic at which a
   * bound was reached. Rejects with LogAway while the log is away, or gives nothing for ten seconds beyond the bound.
   */
  readKey(question: KeyQuestion): Promise<readonly (KeyRead | KeyReadDenied)[]>;
  /** The lag of a group on these topics, from its committed positions. Rejects while the log or a partition is away. */
  lag(group: string, topics: readonly string[]): Promise<readonly PartitionLag[]>;
  /** Whether the group has members. The embedded log knows those of this process only. */
  hasMembers(group: string): Promise<boolean>;
  /**
   * Deletes the positions of a group, so that it restarts at the first records (`dsr restore`). Rejects with GroupInUse
   * while it has members.
   */
  rewind(group: string): Promise<void>;
  /** Closes consumers and reads, waits briefly for acknowledgements, then disconnects. */
  close(): Promise<void>;
}
