import type { LogRecord } from '../records';

/** Under which later records wait: the key of the log, as one group reads one topic. */
export interface ParkedKey {
  readonly group: string;
  readonly topic: string;
  readonly key: string;
}

/** A record that could not be handled, as the `parked` collection keeps it. */
export interface ParkedRecord extends ParkedKey {
  /** `<group>|<topic>|<partition>|<offset>` */
  readonly _id: string;
  readonly partition: number;
  readonly offset: string;
  /** Sorts as the log does. */
  readonly sortKey: string;
  /** Headers as pairs: a foreign name may hold dots, which mean something to MongoDB. */
  readonly record: {
    readonly value: Buffer;
    readonly headers: readonly (readonly [string, string])[];
    readonly timestampMs: number;
  };
  readonly reason: string;
  /** Absent where the record holds back its key. */
  readonly aside?: true;
  readonly at: Date;
  /** Marked: from then on it is to be handled again; until then where a worker has claimed it. */
  readonly redriveAt?: Date;
  /** Of the worker that has claimed it: only that one may say what became of it. */
  readonly token?: string;
  /** How often it had to be put off since it was marked. */
  readonly attempts?: number;
  /** It took effect or was dropped: it holds back nothing any more, and goes once what follows is marked. */
  readonly done?: true;
}

/** A parked record without its value. */
export type ParkedHead = Omit<ParkedRecord, 'record'> & { readonly record: Omit<ParkedRecord['record'], 'value'> };

export const parkedId = (
  group: string,
  { topic, partition, offset }: Pick<LogRecord, 'topic' | 'partition' | 'offset'>,
): string => `${group}|${topic}|${partition}|${offset}`;

export const sortKeyOf = ({ partition, offset }: Pick<LogRecord, 'partition' | 'offset'>): string =>
  `${String(partition).padStart(10, '0')}:${offset.padStart(20, '0')}`;

/** What the log handed out, as it was parked. The driver gives bytes in a form of its own. */
export function toLogRecord({ topic, partition, offset, key, record }: ParkedRecord): LogRecord {
  const bytes = record.value as Buffer | { readonly value: () => Uint8Array };
  const value = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.value());
  return {
    topic,
    partition,
    offset,
    key,
    value,
    headers: Object.fromEntries(record.headers),
    timestampMs: record.timestampMs,
  };
}
