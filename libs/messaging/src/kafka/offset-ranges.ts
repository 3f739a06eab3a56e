import type { Positions } from '../records';

/** The first record that is left in a partition, and the offset of its next record. */
export interface PartitionEnds {
  readonly partition: number;
  readonly low: string;
  readonly high: string;
}

interface OffsetRange {
  next: bigint;
  readonly end: bigint;
}

function startOf(position: string | undefined, low: bigint, high: bigint): bigint {
  const wanted = BigInt(position ?? low);
  // A position beyond the end belongs to a topic that was deleted and created again.
  return wanted < low || wanted > high ? low : wanted;
}

export class OffsetRanges {
  private readonly ranges: ReadonlyMap<number, OffsetRange>;

  constructor(ends: readonly PartitionEnds[], from: Positions) {
    this.ranges = new Map(
      ends.map(({ partition, low, high }) => [
        partition,
        { next: startOf(from[partition], BigInt(low), BigInt(high)), end: BigInt(high) },
      ]),
    );
  }

  get finished(): boolean {
    return [...this.ranges.values()].every(({ next, end }) => next >= end);
  }

  get positions(): Positions {
    return Object.fromEntries([...this.ranges].map(([partition, { next }]) => [partition, next.toString()]));
  }

  /** Unread messages of the partition before its end. */
  unread<M extends { readonly offset: string }>(partition: number, messages: readonly M[]): readonly M[] {
    const range = this.ranges.get(partition);
    return range ? messages.filter(({ offset }) => BigInt(offset) >= range.next && BigInt(offset) < range.end) : [];
  }

  /**
   * Everything of the range up to this offset was handled or needs no handling, such as a transaction marker. The offset may lie
   * beyond the end: what was appended after that is left to the next read.
   */
  advance(partition: number, offset: string): void {
    const range = this.ranges.get(partition);
    if (!range) return;
    const after = BigInt(offset) + 1n;
    const next = after < range.end ? after : range.end;
    if (next > range.next) range.next = next;
  }
}
