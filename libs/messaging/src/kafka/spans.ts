import type { Positions } from '../records';

/** What the brokers say of a partition: its first record that is left, and the offset that its next record will have. */
export interface PartitionEnds {
  readonly partition: number;
  readonly low: string;
  readonly high: string;
}

interface Span {
  next: bigint;
  readonly end: bigint;
}

function start(position: string | undefined, low: bigint, high: bigint): bigint {
  const wanted = BigInt(position ?? low);
  // A position beyond the end is one of a topic that was deleted and made anew.
  return wanted < low || wanted > high ? low : wanted;
}

/** What is left to read of each partition of a topic. */
export class Spans {
  private readonly spans: ReadonlyMap<number, Span>;

  constructor(ends: readonly PartitionEnds[], from: Positions) {
    this.spans = new Map(
      ends.map(({ partition, low, high }) => [
        partition,
        { next: start(from[partition], BigInt(low), BigInt(high)), end: BigInt(high) },
      ]),
    );
  }

  get finished(): boolean {
    return [...this.spans.values()].every(({ next, end }) => next >= end);
  }

  get positions(): Positions {
    return Object.fromEntries([...this.spans].map(([partition, { next }]) => [partition, next.toString()]));
  }

  /** Those of the partition's messages that were not taken yet and lie before its end. */
  wanted<M extends { readonly offset: string }>(partition: number, messages: readonly M[]): readonly M[] {
    const span = this.spans.get(partition);
    return span ? messages.filter(({ offset }) => BigInt(offset) >= span.next && BigInt(offset) < span.end) : [];
  }

  /** Everything up to this offset was taken, or is nothing that can be taken, such as the mark of a transaction. */
  pass(partition: number, offset: string): void {
    const span = this.spans.get(partition);
    const next = BigInt(offset) + 1n;
    if (span && next > span.next) span.next = next;
  }
}
