/** A callback as it came: the console verifies it, nobody before. */
export interface ArrivedCallback {
  /** Counted from 1. */
  readonly number: number;
  readonly at: Date;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const MOST_KEPT = 200;

/** The last callbacks of a sandbox, in memory. */
export class CallbackBox {
  private kept: readonly ArrivedCallback[] = [];
  private count = 0;

  add(arrived: Omit<ArrivedCallback, 'number'>): void {
    this.count += 1;
    this.kept = [...this.kept, { ...arrived, number: this.count }].slice(-MOST_KEPT);
  }

  /** Those that came after this number, the earliest first. */
  after(number: number): readonly ArrivedCallback[] {
    return this.kept.filter((callback) => callback.number > number);
  }
}
