import type { BreakerLimits } from './breaker';
import { HostQueue, type PermitAnswer, type SendRequest, type HostLimits } from './host-queue';

interface TrafficLimits extends HostLimits {
  readonly concurrency: number;
  readonly slowConcurrency: number;
}

export interface DispatchLimits extends Omit<TrafficLimits, 'breaker'> {
  readonly breaker: Omit<BreakerLimits, 'longestPauseMs'>;
  readonly leaseMs: number;
  /** Time that must remain on a claim when an attempt begins: the longest attempt plus clock skew. */
  readonly tryMs: number;
}

/** The least recently used host is forgotten beyond this. */
const MAX_HOSTS_REMEMBERED = 10_000;

/** A host may claim at most this multiple of what stays free for others. */
const SHARE = 4;

/** Tracks claims and attempts by host of a workspace, in this process, so that a slow receiver delays no other. */
export class Traffic {
  private readonly hosts = new Map<string, HostQueue>();
  private readonly busy = new Map<string, HostQueue>();
  private destinations = 0;
  private change = Promise.withResolvers<void>();

  constructor(private readonly limits: TrafficLimits) {}

  /** Active destinations that count against the common limit; slow hosts have a limit of their own. */
  get taken(): number {
    return this.destinations - Math.min(this.slowDestinations, this.limits.slowConcurrency);
  }

  get free(): number {
    return this.limits.concurrency - this.taken;
  }

  full(now: Date): string[] {
    const given = this.given(now);
    const slow = given.isFullOfSlow ? [...this.hosts].filter(([, { isSlow }]) => isSlow) : [];
    return [...new Map([...this.busy, ...slow]).keys()].filter((label) => !this.hasRoom(label, 0, given));
  }

  choose<T extends { readonly host?: string }>(found: readonly T[], now: Date): T[] {
    const given = this.given(now);
    const chosen = new Map<string | undefined, number>();
    return found.filter(({ host }) => {
      const more = chosen.get(host) ?? 0;
      if (given.free <= 0 || (host !== undefined && !this.hasRoom(host, more, given))) return false;
      chosen.set(host, more + 1);
      given.free -= 1;
      return true;
    });
  }

  /** Registers a claim; call the result when it is released. */
  join(label: string | undefined): () => void {
    const queue = label === undefined ? undefined : this.queue(label);
    this.destinations += 1;
    if (label !== undefined && queue) {
      queue.destinations += 1;
      this.busy.set(label, queue);
    }
    return () => {
      this.destinations -= 1;
      if (label !== undefined && queue) {
        queue.destinations -= 1;
        if (queue.destinations === 0) this.busy.delete(label);
      }
      this.notify();
    };
  }

  /** Until when the breaker of a host holds callbacks back. Undefined: it is closed. */
  pausedUntil(label: string): Date | undefined {
    return this.hosts.get(label)?.pausedUntil;
  }

  canSend(label: string, entrance: SendRequest): 'go' | 'full' | 'postponed' {
    return this.queue(label).canSend(entrance);
  }

  acquire(label: string, entrance: SendRequest): Promise<PermitAnswer> {
    return this.queue(label).acquire(entrance);
  }

  /** Resolves at the next change. All who wait share one promise: who gives up waiting leaves nothing behind. */
  changed(): Promise<void> {
    return this.change.promise;
  }

  private given(now: Date): { free: number; readonly isFullOfSlow: boolean; readonly now: Date } {
    return { free: this.free, isFullOfSlow: this.slowDestinations >= this.limits.slowConcurrency, now };
  }

  private hasRoom(label: string, more: number, { free, isFullOfSlow, now }: ReturnType<Traffic['given']>): boolean {
    const queue = this.hosts.get(label);
    if (!queue) return more < 1;
    if (queue.isSlow && isFullOfSlow) return false;
    return queue.destinations + more < Math.min(queue.maxDestinations(now), SHARE * free);
  }

  private get slowDestinations(): number {
    return [...this.busy.values()].reduce((sum, { isSlow, destinations }) => sum + (isSlow ? destinations : 0), 0);
  }

  private queue(label: string): HostQueue {
    const known = this.hosts.get(label);
    if (!known && this.hosts.size >= MAX_HOSTS_REMEMBERED) this.forgetOne();
    const queue = known ?? new HostQueue(this.limits, () => this.notify());
    this.hosts.delete(label);
    this.hosts.set(label, queue);
    return queue;
  }

  private notify(): void {
    this.change.resolve();
    this.change = Promise.withResolvers();
  }

  private forgetOne(): void {
    for (const [label, { isIdle }] of this.hosts) {
      if (!isIdle) continue;
      this.hosts.delete(label);
      return;
    }
  }
}
