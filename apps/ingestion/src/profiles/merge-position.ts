import type { LogRecord } from '@opendsr-service/messaging';

/** How far the log is merged into a profile. All records of a profile are in one partition. */
export interface MergePosition {
  readonly partition: number;
  /** Decimal text, as it may exceed 2^53. */
  readonly offset: string;
  readonly timestampMs: number;
  /** Offsets of refused records, which may not be parked yet and must not count as merged when they come again. */
  readonly refused?: readonly string[];
}

/** How much earlier than its predecessor a record may be dated: far more than the clocks of two writers differ by. */
const DATED_BACK_MS = 60_000;

type RecordPosition = Pick<LogRecord, 'partition' | 'offset' | 'timestampMs'>;

/** The record is merged. In a new topic or cluster offsets restart, so the time counts too. */
export const isBehind = (record: RecordPosition, merged: MergePosition | undefined): boolean =>
  merged?.partition === record.partition &&
  BigInt(record.offset) <= BigInt(merged.offset) &&
  record.timestampMs <= merged.timestampMs;

/**
 * A later record is merged, if this one was parked before. The time may be later than that of the last one, because clocks of
 * writers differ by seconds.
 */
export const mayBeOvertaken = (record: RecordPosition, merged: MergePosition | undefined): boolean =>
  record.offset !== merged?.offset && isBehind({ ...record, timestampMs: record.timestampMs - DATED_BACK_MS }, merged);

/** A write that merged later records refused this one. */
export const wasRefused = (record: RecordPosition, merged: MergePosition | undefined): boolean =>
  isBehind(record, merged) && merged?.refused?.includes(record.offset) === true;

/** Clocks of writers differ, so a later record may have an earlier time. */
export function positionAfter(
  merged: MergePosition | undefined,
  { partition, offset, timestampMs }: RecordPosition,
): MergePosition {
  const goesOn = merged?.partition === partition && BigInt(offset) > BigInt(merged.offset);
  return { partition, offset, timestampMs: goesOn ? Math.max(merged.timestampMs, timestampMs) : timestampMs };
}

export function positionAfterPage(
  before: MergePosition | undefined,
  merged: readonly RecordPosition[],
  refused: readonly RecordPosition[],
): MergePosition | undefined {
  const position = merged.reduce<MergePosition | undefined>(positionAfter, before);
  if (!position || merged.length === 0) return undefined;
  const { partition, offset, timestampMs } = position;
  return {
    partition,
    offset,
    timestampMs: Math.max(timestampMs, ...refused.map((record) => record.timestampMs)),
    ...(refused.length > 0 && { refused: refused.map((record) => record.offset) }),
  };
}
