import type { LogRecord } from '../records';
import { followsParked } from './parking';

/** The key for which later records wait: per group and topic. */
export interface ParkedKey {
  readonly group: string;
  readonly topic: string;
  readonly key: string;
}

/** `blocking` later records of its key, `waiting` behind one, or `aside` (docs/parked.md). */
export const RECORD_KINDS = ['blocking', 'waiting', 'aside'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** By which kinds records are asked for: one, or both that are not `aside`. */
export const KIND_FILTERS = [...RECORD_KINDS, 'not-aside'] as const;
export type KindFilter = (typeof KIND_FILTERS)[number];

/** Whether a record of this kind is asked for. */
export const isOfKind = (kind: RecordKind, wanted: KindFilter): boolean =>
  wanted === 'not-aside' ? kind !== 'aside' : kind === wanted;

/** What is parked for this reason, aside or not. */
export const kindOf = (reason: string, aside: true | undefined): RecordKind =>
  aside ? 'aside' : reason === followsParked ? 'waiting' : 'blocking';

/** A record of the `parked` collection. */
export interface ParkedRecord extends ParkedKey {
  /** `<group>|<topic>|<partition>|<offset>` */
  readonly _id: string;
  readonly partition: number;
  readonly offset: string;
  /** Sorts as the log does. */
  readonly sortKey: string;
  /** Headers as pairs: a name may hold dots, which MongoDB interprets. */
  readonly record: {
    readonly value: Buffer;
    readonly headers: readonly (readonly [string, string])[];
    readonly timestampMs: number;
  };
  readonly reason: string;
  /** Absent where the record blocks its key. */
  readonly aside?: true;
  /** Follows from both, for the index. */
  readonly kind: RecordKind;
  readonly at: Date;
  /** Marked for redrive from this time; while claimed, the end of the claim. */
  readonly redriveAt?: Date;
  /** The claim's token: it fences later writes. */
  readonly token?: string;
  /** Postponements since it was marked: failures, and waits behind another record. */
  readonly attempts?: number;
  /** Handled or dropped: it blocks nothing, and is removed once the next record is marked. */
  readonly done?: true;
}

export type ParkedHead = Omit<ParkedRecord, 'record'> & { readonly record: Omit<ParkedRecord['record'], 'value'> };

export const parkedId = (
  group: string,
  { topic, partition, offset }: Pick<LogRecord, 'topic' | 'partition' | 'offset'>,
): string => `${group}|${topic}|${partition}|${offset}`;

export const sortKeyOf = ({ partition, offset }: Pick<LogRecord, 'partition' | 'offset'>): string =>
  `${String(partition).padStart(10, '0')}:${offset.padStart(20, '0')}`;

/** The driver returns bytes as its own type. */
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
