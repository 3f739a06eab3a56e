import { Breaker, type BreakerLimits } from './breaker';
import { toldOutcome, type Outcome } from './outcome';

export interface HostLimits {
  /** The most tries at the same time. */
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
  leave(outcome: Outcome, now: Date): void;
}

/** `full`: the host is slow and busy. `postponed`: it cannot be reached, and nothing is sent for a while. */
export type Answer = Pass | 'full' | 'postponed';

interface Waiting {
  readonly entrance: Entrance;
  readonly answer: (answer: Answer) => void;
  /** How often the line was looked at meanwhile. */
  looks: number;
}

/** Who has waited through so many times `slowMs` is turned away: the lease of its lane must outlast the line. */
export const LONGEST_WAIT = 2;

/** What goes to one host. Who finds all places taken waits in line while the host is quick, and is turned away as soon as it is not. */
export class HostQueue {
  /** Under way now. */
  tries = 0;
  /** Somebody was turned away, and comes again. */
  isAwaited = false;
  private wasSlow = false;
  private ended = 0;
  private line: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly breaker: Breaker;

  constructor(
    private readonly limits: HostLimits,
    private readonly changed: (queue: HostQueue) => void,
  ) {
    this.breaker = new Breaker(limits.breaker);
  }

  /** Whether it gets one try at a time. One that is not tried at all is not slow. */
  get isSlow(): boolean {
    return this.wasSlow && !this.breaker.isOpen;
  }

  get hasPlace(): boolean {
    return this.tries < (this.wasSlow ? 1 : this.limits.hostConcurrency);
  }

  /** There is nothing to remember. */
  get isForgettable(): boolean {
    return this.tries === 0 && !this.wasSlow && this.breaker.isUntouched;
  }

  /** What `enter` would say now; `go` may be a place in the line. */
  outlook({ now, isLast }: Entrance): 'go' | 'full' | 'postponed' {
    if (!isLast && !this.breaker.lets(now)) return 'postponed';
    return this.hasPlace || !this.wasSlow ? 'go' : 'full';
  }

  async enter(entrance: Entrance): Promise<Answer> {
    return this.answer(entrance) ?? new Promise((answer) => this.queue({ entrance, answer, looks: 0 }));
  }

  private answer(entrance: Entrance): Answer | undefined {
    const outlook = this.outlook(entrance);
    if (outlook !== 'go') return outlook;
    return this.hasPlace ? this.begin(entrance.now) : undefined;
  }

  private begin(at: Date): Pass {
    const isProbe = this.breaker.begin(at);
    this.tries += 1;
    return {
      leave: (outcome, now) => {
        this.tries -= 1;
        this.ended += 1;
        this.breaker.end({ reached: toldOutcome(outcome).outcome !== 'unreachable', isProbe, now });
        this.wasSlow = outcome.durationMs >= this.limits.slowMs || (outcome.kind === 'failed' && outcome.reason === 'timeout');
        this.moveUp();
        this.changed(this);
      },
    };
  }

  private queue(waiting: Waiting): void {
    this.line.push(waiting);
    if (this.line.length === 1) this.watch();
  }

  /** Where nobody is served for a while, nobody else stands in line: they would take the places of those who call other hosts. */
  private watch(): void {
    clearTimeout(this.timer);
    const before = this.ended;
    this.timer = setTimeout(() => {
      if (this.line.length === 0) return;
      this.wasSlow ||= this.ended === before;
      this.moveUp();
      this.turnAway();
      this.changed(this);
      if (this.line.length > 0) this.watch();
    }, this.limits.slowMs);
    this.timer.unref();
  }

  private turnAway(): void {
    for (const waiting of this.line) waiting.looks += 1;
    for (const { answer } of this.line.filter(({ looks }) => looks >= LONGEST_WAIT)) answer('full');
    this.line = this.line.filter(({ looks }) => looks < LONGEST_WAIT);
  }

  private moveUp(): void {
    const line = this.line;
    this.line = [];
    for (const waiting of line) {
      const answer = this.answer(waiting.entrance);
      if (answer) waiting.answer(answer);
      else this.line.push(waiting);
    }
  }
}
