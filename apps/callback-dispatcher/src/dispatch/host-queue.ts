import { Breaker, type BreakerLimits } from './breaker';
import { shownOutcome, type TryOutcome } from './outcome';

export interface HostLimits {
  /** The most tries at the same time, to a host that is quick. */
  readonly hostConcurrency: number;
  /** A host that takes so long is slow, and gets one try at a time until it is quicker. */
  readonly slowMs: number;
  readonly breaker: BreakerLimits;
}

/** Who wants to send. */
export interface SendRequest {
  readonly now: Date;
  /** Without success the destination is given up: that try is made, whatever was before it. */
  readonly isLast: boolean;
}

/** The right to send once. */
export interface SendPermit {
  /** Answers whether the host is known from now on to be reachable, and was not before. */
  complete(outcome: TryOutcome, now: Date): boolean;
  /** Gives it back: nothing was sent. */
  cancel(): void;
}

/** `full`: the host is busy, and not quick enough to wait for. `postponed`: it cannot be reached, and nothing is sent for a while. */
export type Admittance = SendPermit | 'full' | 'postponed';

interface Waiting {
  readonly entrance: SendRequest;
  readonly answer: (answer: Admittance) => void;
}

/** Who has waited for so many times `slowMs` is turned away: the lease of its destination must outlast the line. */
export const MAX_WAIT_TIMES = 2;
/** For each try that a quick host may be sent at the same time at most so many destinations are claimed, so that it is not idle while more are. */
const CLAIMED_PER_TRY = 8;

/** What goes to one host: one try at a time until it has shown that it is quick, and again once it is not. */
export class HostQueue {
  /** Claimed for it, and not let go of. */
  destinations = 0;
  private tries = 0;
  /** Those of them that have taken longer than a quick host would. */
  private late = 0;
  private lastMs: number | undefined;
  private waiting: Waiting[] = [];
  private readonly breaker: Breaker;

  constructor(
    private readonly limits: HostLimits,
    private readonly changed: () => void,
  ) {
    this.breaker = new Breaker(limits.breaker);
  }

  get isSlow(): boolean {
    return this.late > 0 || (this.lastMs ?? 0) >= this.limits.slowMs;
  }

  get isIdle(): boolean {
    return this.destinations === 0 && this.tries === 0;
  }

  /** How many destinations may be claimed for it, with those that are. What its breaker keeps from the network takes next to no time. */
  maxDestinations(now: Date): number {
    const { hostConcurrency, slowMs } = this.limits;
    const state = this.breaker.state(now);
    if (state === 'paused') return hostConcurrency * CLAIMED_PER_TRY;
    // No more than can be served before they are turned away.
    const ahead = Math.min(CLAIMED_PER_TRY, 1 + Math.floor((MAX_WAIT_TIMES * slowMs) / Math.max(1, this.lastMs ?? 0)));
    return state === 'closed' && this.isQuick ? hostConcurrency * ahead : 1;
  }

  /** What `enter` would say now; `go` may be a place in the line. */
  canSend({ now, isLast }: SendRequest): 'go' | 'full' | 'postponed' {
    if (!isLast && !this.breaker.allows(now)) return 'postponed';
    return this.hasRoom || this.isQuick ? 'go' : 'full';
  }

  async acquire(entrance: SendRequest): Promise<Admittance> {
    return this.answer(entrance) ?? new Promise((answer) => this.wait(entrance, answer));
  }

  private wait(entrance: SendRequest, answer: (answer: Admittance) => void): void {
    const timer = setTimeout(() => {
      this.waiting = this.waiting.filter((one) => one !== waiting);
      answer('full');
    }, MAX_WAIT_TIMES * this.limits.slowMs);
    const waiting = {
      entrance,
      answer: (given: Admittance) => {
        clearTimeout(timer);
        answer(given);
      },
    };
    this.waiting.push(waiting);
  }

  private get isQuick(): boolean {
    return this.lastMs !== undefined && !this.isSlow;
  }

  private get hasRoom(): boolean {
    return this.tries < (this.isQuick ? this.limits.hostConcurrency : 1);
  }

  private answer(entrance: SendRequest): Admittance | undefined {
    const outlook = this.canSend(entrance);
    if (outlook !== 'go') return outlook;
    return this.hasRoom ? this.begin(entrance.now) : undefined;
  }

  private begin(at: Date): SendPermit {
    const isProbe = this.breaker.begin(at);
    this.tries += 1;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.late += 1;
      this.admitWaiting();
    }, this.limits.slowMs);
    timer.unref();
    const end = (): void => {
      clearTimeout(timer);
      this.tries -= 1;
      if (isLate) this.late -= 1;
    };
    return {
      cancel: () => {
        end();
        this.breaker.cancelProbe(isProbe);
        this.admitWaiting();
      },
      complete: (outcome, now) => {
        end();
        const reached = shownOutcome(outcome).outcome !== 'unreachable';
        const isBack = this.breaker.end({ reached, isProbe, now }) || (reached && this.lastMs === undefined);
        this.lastMs = outcome.kind === 'failed' && outcome.reason === 'timeout' ? Infinity : outcome.durationMs;
        this.admitWaiting();
        return isBack;
      },
    };
  }

  private admitWaiting(): void {
    const line = this.waiting;
    this.waiting = [];
    for (const waiting of line) {
      const answer = this.answer(waiting.entrance);
      if (answer) waiting.answer(answer);
      else this.waiting.push(waiting);
    }
    this.changed();
  }
}
