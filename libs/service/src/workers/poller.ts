import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../logger/logger';
import type { DueSignal } from './due-signal';
import { isUnavailable } from './is-unavailable';

export interface PollerOptions {
  readonly name: string;
  readonly intervalMs: number;
  /** Handles one page of due work and returns its size. Must be safe in many replicas. */
  readonly run: () => Promise<number>;
  /**
   * How much work lets the poller run again at once; less waits for the next interval, so that it shares commands with what
   * comes until then. Default: 1.
   */
  readonly fullPage?: number;
  readonly log: Logger;
  /** Milliseconds until something is due that is stored already. */
  readonly dueInMs?: () => Promise<number | undefined>;
  /** What alone ends a longer pause; `none`: nothing does. Default: each call and each batch of this process. */
  readonly wokenBy?: DueSignal | 'none';
  /** The longest pause while nothing is due; each empty run doubles the pause up to this. Default: 15,000. */
  readonly longestIdleMs?: number;
  /** The longest pause; each failure doubles it up to this. */
  readonly longestBackoffMs?: number;
  /** Random number from 0 to 1: jitter, so that replicas do not poll in step. */
  readonly random?: () => number;
}

/** Bounds how long the work of a process that died is left. */
const LONGEST_IDLE_MS = 15_000;
/** `longestIdleMs` for what comes without a signal: the end of an outage for a relay, files that an operator replaces. */
export const UNSIGNALLED_IDLE_MS = 5_000;
const [SHORTEST_JITTER, LONGEST_JITTER] = [0.9, 1.1];
const FRACTIONS = 2 ** 32;
const chance = (): number => randomInt(FRACTIONS) / FRACTIONS;

/**
 * The loop of a worker (decision 7): polls every interval, continues while work is due, and pauses longer after a
 * failure or while nothing is due. `wake` and the signal end the longer pause.
 */
export class Poller {
  private timer: NodeJS.Timeout | undefined;
  private inFlight: Promise<unknown> = Promise.resolve();
  private state: 'idle' | 'running' | 'stopped' = 'idle';
  private failures = 0;
  private emptyRuns = 0;
  private pausesUntilMs = 0;
  /** The earliest time at which signalled work is due that no run has looked for yet. */
  private signalledMs = Infinity;
  private failed = 0;
  /** Whether the last run failed because of an outage: the next one probably hangs on it too. */
  private failedByOutage = false;

  constructor(private readonly options: PollerOptions) {
    const { wokenBy = 'none' } = options;
    if (wokenBy !== 'none') wokenBy.subscribe((inMs) => this.expect(inMs));
  }

  get name(): string {
    return this.options.name;
  }

  get failedRuns(): number {
    return this.failed;
  }

  start(): void {
    if (this.state !== 'idle') return;
    this.state = 'running';
    this.rest(Infinity);
  }

  /** Resolves when the current run has ended. Does not wait for a run that hangs on an outage. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    clearTimeout(this.timer);
    if (!this.failedByOutage) await this.inFlight;
  }

  runOnce(): Promise<number> {
    return this.options.run();
  }

  /** Says that something may have become due: the pause lasts one interval at most, except where a signal says so. */
  wake(): void {
    if (this.options.wokenBy !== undefined) return;
    this.emptyRuns = 0;
    this.restUntil(LONGEST_JITTER * this.options.intervalMs);
  }

  private expect(inMs: number): void {
    this.signalledMs = Math.min(this.signalledMs, performance.now() + inMs);
    const soonestInMs = LONGEST_JITTER * this.options.intervalMs;
    this.restUntil(Math.max(this.signalledMs - performance.now(), soonestInMs));
  }

  /** Shortens a pause that would last longer than this. */
  private restUntil(inMs: number): void {
    const isLate = this.pausesUntilMs - performance.now() > inMs;
    if (this.state !== 'running' || this.failures > 0 || !isLate) return;
    clearTimeout(this.timer);
    this.rest(Infinity);
  }

  private async ranFullPage(): Promise<boolean> {
    const { run, fullPage = 1 } = this.options;
    const done = await run();
    if (done > 0) this.emptyRuns = 1;
    return done >= fullPage;
  }

  private rest(dueInMs: number): void {
    const { intervalMs, random = chance, longestBackoffMs = 60_000, longestIdleMs = LONGEST_IDLE_MS } = this.options;
    const [doublings, longestMs] =
      this.failures > 0 ? [this.failures, longestBackoffMs] : [Math.max(0, this.emptyRuns - 1), longestIdleMs];
    const base = Math.min(intervalMs * 2 ** doublings, Math.max(longestMs, intervalMs));
    const jitter = SHORTEST_JITTER + (LONGEST_JITTER - SHORTEST_JITTER) * random();
    const signalledInMs =
      this.failures > 0 ? Infinity : Math.max(intervalMs * jitter, this.signalledMs - performance.now());
    const pauseMs = Math.min(base * jitter, signalledInMs, dueInMs);
    this.pausesUntilMs = performance.now() + pauseMs;
    this.timer = setTimeout(() => {
      this.inFlight = this.drain();
    }, pauseMs);
  }

  private async drain(): Promise<void> {
    let dueInMs: number | undefined;
    if (this.signalledMs <= performance.now()) this.signalledMs = Infinity;
    try {
      this.emptyRuns += 1;
      while (this.state === 'running' && (await this.ranFullPage())) await nextTurn();
      this.failures = 0;
      this.failedByOutage = false;
      if (this.state === 'running') dueInMs = await this.options.dueInMs?.();
    } catch (error) {
      this.failures++;
      this.failed++;
      this.failedByOutage = isUnavailable(error);
      this.options.log.warn({ poller: this.name, attempt: this.failures, error }, 'A worker failed and tries again');
    }
    // At least a millisecond: a timer may fire slightly early, and the loop must not spin until then.
    if (this.state === 'running') this.rest(Math.max(1, dueInMs ?? Infinity));
  }
}
