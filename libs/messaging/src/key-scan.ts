import type { KeyQuestion, KeyRead, KeyReadBound, KeyReadBounds, KeyReadDenied, KeyReadStart } from './port';
import type { LogRecord } from './records';

/** What the bounds of a read leave, over all of its topics. */
export class KeyReadBudget {
  private records: number;
  private bytes: number;
  private readonly endsAtMs: number;

  constructor({ records, bytes, timeMs }: KeyReadBounds) {
    this.records = records;
    this.bytes = bytes;
    this.endsAtMs = performance.now() + timeMs;
  }

  /** The bound that is reached; undefined: none. */
  get reached(): KeyReadBound | undefined {
    if (this.records <= 0) return 'records';
    if (this.bytes <= 0) return 'bytes';
    return performance.now() >= this.endsAtMs ? 'time' : undefined;
  }

  spend(bytes: number, isOfKey: boolean): void {
    this.bytes -= bytes;
    if (isOfKey) this.records -= 1;
  }
}

/** Keeps the records of one key of what is read of a partition. */
export class KeyScan {
  private readonly found: LogRecord[] = [];
  private bytes = 0;
  private readToMs: number | undefined;
  private stoppedBy: KeyReadBound | undefined;

  constructor(
    private readonly key: string,
    private readonly budget: KeyReadBudget,
    /** The offset of the next record to read. */
    private next: bigint,
    private readonly end: bigint,
  ) {}

  get position(): string {
    return this.next.toString();
  }

  /** Whether the end and every bound are further on. */
  get goesOn(): boolean {
    if (this.next >= this.end) return false;
    this.stoppedBy = this.budget.reached;
    return this.stoppedBy === undefined;
  }

  /** Takes records in their order, up to a bound. `after`: the offset behind them, and behind what no reader gets. */
  take(records: readonly LogRecord[], after: bigint): void {
    for (const record of records) {
      if (this.budget.reached) return;
      const isOfKey = record.key === this.key;
      const bytes = Buffer.byteLength(record.key) + record.value.length;
      this.budget.spend(bytes, isOfKey);
      this.bytes += bytes;
      this.readToMs = record.timestampMs;
      this.next = BigInt(record.offset) + 1n;
      if (isOfKey) this.found.push(record);
    }
    this.next = after;
  }

  result({ topic, partition, leftFromMs }: Pick<KeyRead, 'topic' | 'partition'> & LeftFrom): KeyRead {
    return {
      ...{ topic, partition, records: this.found, next: this.position, bytes: this.bytes },
      ...(this.stoppedBy && { stoppedBy: this.stoppedBy }),
      ...(this.readToMs !== undefined && { readToMs: this.readToMs }),
      ...(leftFromMs !== undefined && { leftFromMs }),
    };
  }
}

/** As of a `KeyRead`; undefined: nothing is missing. */
export interface LeftFrom {
  readonly leftFromMs: number | null | undefined;
}

/** Reads topic after topic, until a bound is reached. */
export async function readEach(
  { starts, bounds }: Pick<KeyQuestion, 'starts' | 'bounds'>,
  read: (start: KeyReadStart, budget: KeyReadBudget) => Promise<KeyRead | KeyReadDenied>,
): Promise<readonly (KeyRead | KeyReadDenied)[]> {
  const budget = new KeyReadBudget(bounds);
  const reads: (KeyRead | KeyReadDenied)[] = [];
  for (const start of starts) {
    reads.push(await read(start, budget));
    if (budget.reached) break;
  }
  return reads;
}
