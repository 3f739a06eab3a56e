import type { LogRecord } from '@opendsr-service/messaging';

/** How far a profile has what the log says of it. Records of a profile have one key, and so come from one partition in their order. */
export interface MergePosition {
  readonly partition: number;
  /** Decimal text, as it may exceed 2^53. */
  readonly offset: string;
  /** The latest time of a record since offsets began. */
  readonly timestampMs: number;
  /**
   * Offsets of those that were refused when this was written: they may not be parked yet, and must not pass for
   * merged when they come again.
   */
  readonly refused?: readonly string[];
}

type RecordPosition = Pick<LogRecord, 'partition' | 'offset' | 'timestampMs'>;

/**
 * Whether the log hands out a record again: it is the last one that was merged, or came before it. Offsets alone do not tell, for in a
 * topic that was created anew, or on another cluster, they begin anew; what comes then is later.
 */
export const isBehind = (record: RecordPosition, merged: MergePosition | undefined): boolean =>
  merged?.partition === record.partition &&
  BigInt(record.offset) <= BigInt(merged.offset) &&
  record.timestampMs <= merged.timestampMs;

/** Whether it is the very record that was merged last. */
export const isLastMerged = (record: RecordPosition, merged: MergePosition | undefined): boolean =>
  isBehind(record, merged) && record.offset === merged?.offset;

/** Whether an earlier record was refused by the write that went on beyond it. */
export const wasRefused = (record: RecordPosition, merged: MergePosition | undefined): boolean =>
  isBehind(record, merged) && merged?.refused?.includes(record.offset) === true;

/**
 * How far a profile is once one record is merged. Clocks of those who write differ: what is earlier in the log may
 * have a later time, and is behind all the same.
 */
export function positionAfter(
  merged: MergePosition | undefined,
  { partition, offset, timestampMs }: RecordPosition,
): MergePosition {
  const goesOn = merged?.partition === partition && BigInt(offset) > BigInt(merged.offset);
  return { partition, offset, timestampMs: goesOn ? Math.max(merged.timestampMs, timestampMs) : timestampMs };
}

/** How far it is after a page, of which some were merged and some refused; undefined where nothing was merged. */
export function positionAfterPage(
  before: MergePosition | undefined,
  merged: readonly RecordPosition[],
  refused: readonly RecordPosition[],
): MergePosition | undefined {
  const place = merged.reduce<MergePosition | undefined>(positionAfter, before);
  if (!place || merged.length === 0) return undefined;
  const { partition, offset, timestampMs } = place;
  return {
    partition,
    offset,
    timestampMs,
    ...(refused.length > 0 && { refused: refused.map((record) => record.offset) }),
  };
}
