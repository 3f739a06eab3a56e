import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../logger/logger';
import { isUnavailable } from './is-unavailable';

export interface PollerOptions {
  readonly name: string;
  readonly intervalMs: number;
  /** Does one page of what is due and says how much that was; 0 lets the poller rest. Must be safe to run in many replicas. */
  readonly run: () => Promise<number>;
  readonly log: Logger;
  /** How long from now it is until something may be due, where that is known: then the poller rests no longer. */
  readonly dueInMs?: () => Promise<number | undefined>;
  /** The longest rest after failures, which double it each time. */
  readonly longestBackoffMs?: number;
  /** Chance from 0 to 1, for the jitter that keeps replicas from looking all at once. */
  readonly random?: () => number;
}

const FRACTIONS = 2 ** 32;
const chance = (): number => randomInt(FRACTIONS) / FRACTIONS;

/** A worker's loop: looks every interval for what is due (D7), goes on while there is some, and rests longer after a failure. */
export class Poller {
  private timer: NodeJS.Timeout | undefined;
  private inFlight: Promise<unknown> = Promise.resolve();
  private state: 'idle' | 'running' | 'stopped' = 'idle';
  private failures = 0;
  private failed = 0;
  /** Whether the last run failed because something is away: the next one most likely only waits for it. */
  private failedByOutage = false;

  constructor(private readonly options: PollerOptions) {}

  get name(): string {
    return this.options.name;
  }

  /** How many runs have failed since it began. */
  get failedRuns(): number {
    return this.failed;
  }

  start(): void {
    if (this.state !== 'idle') return;
    this.state = 'running';
    this.rest(Infinity);
  }

  /** Starts nothing more, and resolves when the run in flight has ended; one that only tries again what is away is left behind like that of a killed process, for it may hang for long. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    clearTimeout(this.timer);
    if (!this.failedByOutage) await this.inFlight;
  }

  /** Does one page now, for tests and tools; errors reach the caller. */
  runOnce(): Promise<number> {
    return this.options.run();
  }

  private rest(dueInMs: number): void {
    const { intervalMs, random = chance, longestBackoffMs = 60_000 } = this.options;
    const base =
      this.failures === 0
        ? intervalMs
        : Math.min(intervalMs * 2 ** this.failures, Math.max(longestBackoffMs, intervalMs));
    this.timer = setTimeout(
      () => {
        this.inFlight = this.drain();
      },
      Math.min(base * (0.9 + 0.2 * random()), dueInMs),
    );
  }

  private async drain(): Promise<void> {
    let dueInMs: number | undefined;
    try {
      while (this.state === 'running' && (await this.options.run()) > 0) await nextTurn();
      this.failures = 0;
      this.failedByOutage = false;
      if (this.state === 'running') dueInMs = await this.options.dueInMs?.();
    } catch (error) {
      this.failures++;
      this.failed++;
      this.failedByOutage = isUnavailable(error);
      this.options.log.warn({ poller: this.name, attempt: this.failures, error }, 'A worker failed and tries again');
    }
    // At least a millisecond: a timer may be early by less than one, and must not turn round and round until then.
    if (this.state === 'running') this.rest(Math.max(1, dueInMs ?? Infinity));
  }
}
