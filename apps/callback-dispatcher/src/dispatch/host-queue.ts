import { Breaker, type BreakerLimits } from './breaker';
import { toldOutcome, type Outcome } from './outcome';

export interface HostLimits {
  /** The most tries at the same time, to a host that is quick. */
  readonly hostConcurrency: number;
  /** A host that takes so long is slow, and gets one try at a time until it is quicker. */
  readonly slowMs: number;
  readonly breaker: BreakerLimits;
}

/** Who wants to send. */
export interface Entrance {
  readonly now: Date;
  /** Without success the lane is given up: that try is made, whatever was before it. */
  readonly isLast: boolean;
}

/** The right to send once. */
export interface Pass {
  /** Answers whether the host is known from now on to be reachable, and was not before. */
  leave(outcome: Outcome, now: Date): boolean;
}

/** `full`: the host is busy, and not quick enough to wait for. `postponed`: it cannot be reached, and nothing is sent for a while. */
export type Answer = Pass | 'full' | 'postponed';

interface Waiting {
  readonly entrance: Entrance;
  readonly answer: (answer: Answer) => void;
}

/**
 * For each try that a quick host may be sent at the same time so many lanes wait in line, so that it is not idle while more are claimed. As each
 * try ends within `slowMs`, or ends the line, none waits longer than so many times that.
 */
export const AHEAD = 2;

/** What goes to one host: one try at a time until it has shown that it is quick, and again once it is not. */
export class HostQueue {
  /** Claimed for it, and not let go of. */
  lanes = 0;
  private tries = 0;
  /** Those of them that have taken longer than a quick host would. */
  private late = 0;
  private last: 'quick' | 'slow' | undefined;
  private line: Waiting[] = [];
  private readonly breaker: Breaker;

  constructor(
    private readonly limits: HostLimits,
    private readonly changed: () => void,
  ) {
    this.breaker = new Breaker(limits.breaker);
  }

  get isSlow(): boolean {
    return this.last === 'slow' || this.late > 0;
  }

  get isIdle(): boolean {
    return this.lanes === 0 && this.tries === 0;
  }

  /** How many lanes may be claimed for it, with those that are. What its breaker keeps from the network takes next to no time. */
  mostLanes(now: Date): number {
    const state = this.breaker.state(now);
    return state === 'paused' || (state === 'closed' && this.isQuick) ? this.limits.hostConcurrency * (1 + AHEAD) : 1;
  }

  /** What `enter` would say now; `go` may be a place in the line. */
  outlook({ now, isLast }: Entrance): 'go' | 'full' | 'postponed' {
    if (!isLast && !this.breaker.lets(now)) return 'postponed';
    return this.hasPlace || (this.isQuick && this.line.length < AHEAD * this.limits.hostConcurrency) ? 'go' : 'full';
  }

  async enter(entrance: Entrance): Promise<Answer> {
    return this.answer(entrance) ?? new Promise((answer) => this.line.push({ entrance, answer }));
  }

  private get isQuick(): boolean {
    return this.last === 'quick' && this.late === 0;
  }

  private get hasPlace(): boolean {
    return this.tries < (this.isQuick ? this.limits.hostConcurrency : 1);
  }

  private answer(entrance: Entrance): Answer | undefined {
    const outlook = this.outlook(entrance);
    if (outlook !== 'go') return outlook;
    return this.hasPlace ? this.begin(entrance.now) : undefined;
  }

  private begin(at: Date): Pass {
    const isProbe = this.breaker.begin(at);
    this.tries += 1;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.late += 1;
      this.moveUp();
    }, this.limits.slowMs);
    timer.unref();
    return {
      leave: (outcome, now) => {
        clearTimeout(timer);
        this.tries -= 1;
        if (isLate) this.late -= 1;
        const reached = toldOutcome(outcome).outcome !== 'unreachable';
        const isBack = this.breaker.end({ reached, isProbe, now }) || (reached && this.last === undefined);
        this.last = outcome.durationMs >= this.limits.slowMs || (outcome.kind === 'failed' && outcome.reason === 'timeout') ? 'slow' : 'quick';
        this.moveUp();
        return isBack;
      },
    };
  }

  private moveUp(): void {
    const line = this.line;
    this.line = [];
    for (const waiting of line) {
      const answer = this.answer(waiting.entrance);
      if (answer) waiting.answer(answer);
      else this.line.push(waiting);
    }
    this.changed();
  }
}
