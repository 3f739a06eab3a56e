/** The messages between the suite and its children, one JSON line each. */
export interface LoadTask {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly recordsPerSecond: number;
  readonly keys: number;
}

export interface RelayTask {
  readonly brokers: readonly string[];
  readonly group: string;
  readonly from: string;
  /** Where the handler publishes each record again; the last hop publishes nothing. */
  readonly to?: string;
  readonly sessionTimeoutMs: number;
}

/** The n-th record of a key was acknowledged. Times are milliseconds since the epoch, with fractions. */
export interface Acknowledged {
  readonly key: string;
  readonly n: number;
  readonly sentAt: number;
  readonly at: number;
}

/** The n-th record of a key took effect. */
export interface Handled {
  readonly key: string;
  readonly n: number;
  readonly partition: number;
  readonly at: number;
}

/** One clock for all processes of this machine. */
export const clock = (): number => performance.timeOrigin + performance.now();

export const taskOf = <T>(): T => JSON.parse(process.argv[2] ?? '{}') as T;

export function printLine(line: Acknowledged | readonly Handled[]): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
