import { Breaker, type BreakerLimits } from './breaker';
import { shownOutcome, type TryOutcome } from './outcome';

export interface HostLimits {
  readonly hostConcurrency: number;
  readonly slowMs: number;
  readonly breaker: BreakerLimits;
}

export interface SendRequest {
  readonly now: Date;
  /** The final attempt is made even while the breaker is open. */
  readonly isLast: boolean;
}

export interface SendPermit {
  /** Returns whether the host has become reachable. */
  complete(outcome: TryOutcome, now: Date): boolean;
  cancel(): void;
}

/** `full`: the host is too busy to wait for. `postponed`: it is unreachable. */
export type PermitAnswer = SendPermit | 'full' | 'postponed';

interface Waiting {
  readonly request: SendRequest;
  readonly answer: (answer: PermitAnswer) => void;
}

/** The longest wait, in multiples of `slowMs`; claims outlast it. */
export const MAX_WAIT_TIMES = 2;
/** Claims for each parallel attempt to a fast host, to keep it busy. */
const CLAIMED_PER_TRY = 8;

/** Limits attempts to one host: one at a time until it has answered fast, and again once it is slow. */
export class HostQueue {
  destinations = 0;
  private tries = 0;
  private late = 0;
  /** Of the last attempt that reached it; Infinity: it did not answer in time. Undefined: none yet. */
  private lastMs: number | undefined;
  private wasReached = false;
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

  get pausedUntil(): Date | undefined {
    return this.breaker.pausedUntil;
  }

  get isIdle(): boolean {
    return this.destinations === 0 && this.tries === 0;
  }

  /** The most destinations to claim. A paused breaker answers at once, so its destinations may be many. */
  maxDestinations(now: Date): number {
    const { hostConcurrency, slowMs } = this.limits;
    const state = this.breaker.state(now);
    if (state === 'paused') return hostConcurrency * CLAIMED_PER_TRY;
    const ahead = Math.min(CLAIMED_PER_TRY, 1 + Math.floor((MAX_WAIT_TIMES * slowMs) / Math.max(1, this.lastMs ?? 0)));
    return state === 'closed' && this.isQuick ? hostConcurrency * ahead : 1;
  }

  /** A preview of `acquire`; `go` may mean a wait. */
  canSend({ now, isLast }: SendRequest): 'go' | 'full' | 'postponed' {
    if (!isLast && !this.breaker.allows(now)) return 'postponed';
    return this.hasRoom || this.isQuick ? 'go' : 'full';
  }

  async acquire(request: SendRequest): Promise<PermitAnswer> {
    return this.answer(request) ?? new Promise((answer) => this.wait(request, answer));
  }

  private wait(request: SendRequest, answer: (answer: PermitAnswer) => void): void {
    const timer = setTimeout(() => {
      this.waiting = this.waiting.filter((one) => one !== waiting);
      answer('full');
    }, MAX_WAIT_TIMES * this.limits.slowMs);
    const waiting = {
      request,
      answer: (given: PermitAnswer) => {
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

  private answer(request: SendRequest): PermitAnswer | undefined {
    const outlook = this.canSend(request);
    if (outlook !== 'go') return outlook;
    return this.hasRoom ? this.begin(request.now) : undefined;
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
        this.breaker.end({ reached, isProbe, now });
        const isBack = reached && !this.wasReached;
        this.wasReached = reached;
        if (outcome.kind === 'failed' && outcome.reason === 'timeout') this.lastMs = Infinity;
        else if (reached) this.lastMs = outcome.durationMs;
        this.admitWaiting();
        return isBack;
      },
    };
  }

  private admitWaiting(): void {
    const line = this.waiting;
    this.waiting = [];
    for (const waiting of line) {
      const answer = this.answer(waiting.request);
      if (answer) waiting.answer(answer);
      else this.waiting.push(waiting);
    }
    this.changed();
  }
}
