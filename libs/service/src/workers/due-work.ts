import type { Clock } from '../clock';
import type { Logger } from '../logger/logger';
import { ClaimRenewal } from './claim-renewal';
import { dueInMs } from './due-in-ms';
import type { DueSignal } from './due-signal';
import { Poller } from './poller';

interface Due {
  readonly ws: string;
  readonly srid: string;
  /** Failures since the last success. */
  readonly tries: number;
  /** The end of the claim. */
  readonly dueAt?: Date;
}

interface DueJob<T extends Due> {
  readonly store: {
    claimDue(now: Date, limit: number): Promise<T[]>;
    reschedule(claimed: T, dueAt: Date): Promise<boolean>;
    nextDueAfter(now: Date): Promise<Date | undefined>;
    /** How long a claim holds. */
    readonly leaseMs: number;
    /** Extends it; false: it is lost. */
    renew(claimed: T, until: Date): Promise<boolean>;
    /** Wakes the poller. */
    readonly due: DueSignal;
  };
  readonly limit: number;
  /** How often the claim is checked while a step lasts. Default: four times in a lease. */
  readonly renewEveryMs?: number | undefined;
  /** Handles one item, whose claim is kept meanwhile. A rejection postpones that item. */
  readonly step: (claimed: T, lease: ClaimRenewal) => Promise<void>;
  readonly failureMessage: string;
}

const FIRST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 3_600_000;

/** Claims due work and runs it in parallel up to a limit (decision 7). Failed work is postponed, longer each time. */
export class DueWork<T extends Due> {
  private readonly running = new Set<Promise<void>>();
  /** Failed items that an outage left claimed, with the time at which they are due again. */
  private readonly unpostponed = new Map<T, Date>();
  private isStopped = false;

  constructor(
    private readonly job: DueJob<T>,
    private readonly tools: { readonly clock: Clock; readonly log: Logger },
  ) {}

  async runOnce(): Promise<number> {
    const { store, limit } = this.job;
    if (this.isStopped) return 0;
    await this.postponeFailed();
    if (this.running.size >= limit) {
      await Promise.race(this.running);
      return 1;
    }
    const due = await store.claimDue(this.tools.clock.now(), limit - this.running.size);
    for (const claimed of due) this.track(this.runStep(claimed));
    return due.length;
  }

  /**
   * Runs new work right after it is stored, without a query and a write to claim it. `store` resolves with it; undefined: it is
   * not new. False, and nothing is stored: there is no room.
   */
  async startNew(store: () => Promise<T | undefined>): Promise<boolean> {
    if (this.isStopped || this.running.size >= this.job.limit) return false;
    const stored = store();
    this.track(stored.then((work) => work && this.runStep(work)).catch(() => undefined));
    await stored;
    return true;
  }

  /** Milliseconds until the next item is due. Undefined: none is stored. */
  dueInMs(): Promise<number | undefined> {
    return dueInMs(this.tools.clock, (now) => this.job.store.nextDueAfter(now));
  }

  /** The poller of this work. */
  poller(name: string, intervalMs: number, log: Logger): Poller {
    return new Poller({
      name,
      intervalMs,
      wokenBy: this.job.store.due,
      run: () => this.runOnce(),
      dueInMs: () => this.dueInMs(),
      log,
    });
  }

  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Waits for running work; other processes take the rest. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.idle();
  }

  private track(step: Promise<void>): void {
    this.running.add(step);
    void step.then(() => this.running.delete(step));
  }

  private async runStep(claimed: T): Promise<void> {
    const { step, store, failureMessage, renewEveryMs = store.leaseMs / 4 } = this.job;
    const { clock, log } = this.tools;
    const lease = new ClaimRenewal(
      { leaseMs: store.leaseMs, heldUntil: claimed.dueAt, renew: (until) => store.renew(claimed, until) },
      clock,
    );
    try {
      await lease.renewWhile(step(claimed, lease), renewEveryMs);
    } catch (error) {
      const { ws, srid, tries } = claimed;
      log.warn({ ws, srid, attempt: tries + 1, error }, failureMessage);
      const gapMs = Math.min(FIRST_GAP_MS * 2 ** tries, LONGEST_GAP_MS);
      const dueAt = new Date(clock.now().getTime() + gapMs);
      await store.reschedule(claimed, dueAt).catch(() => this.unpostponed.set(claimed, dueAt));
      store.due.due(gapMs);
    }
  }

  /** Otherwise they would wait for the end of their lease. */
  private async postponeFailed(): Promise<void> {
    for (const [claimed, dueAt] of this.unpostponed) {
      await this.job.store.reschedule(claimed, dueAt);
      this.unpostponed.delete(claimed);
    }
  }
}
