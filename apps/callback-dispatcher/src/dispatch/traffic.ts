import { createHash } from 'node:crypto';
import type { BreakerLimits } from './breaker';
import { HostQueue, type Admittance, type SendRequest, type HostLimits } from './host-queue';

export interface TrafficLimits extends HostLimits {
  /** The most destinations at the same time, beside those of slow hosts. */
  readonly concurrency: number;
  /** The most destinations of slow hosts at the same time. */
  readonly slowConcurrency: number;
}

/** How much a process sends at the same time, and how long a claim of it holds. */
export interface DispatchLimits extends Omit<TrafficLimits, 'breaker'> {
  readonly breaker: Omit<BreakerLimits, 'longestPauseMs'>;
  readonly leaseMs: number;
  /** What is left of a lease at least when a try is sent: the longest that a try takes, and by how much the clocks of processes may differ. */
  readonly tryMs: number;
}

/** By what limits count hosts where an admission did not say it: no address stands in the destinations. */
export const hostLabel = (ws: string, host: string): string =>
  createHash('sha256').update(`${ws}|${host}`).digest('base64url');

/** So many hosts are remembered; beyond that the one that was called longest ago is forgotten. */
const MAX_HOSTS_REMEMBERED = 10_000;

/** A host gets no more than so many times what is left for others: the more share the places the fewer each has, and some always stay free. */
const SHARE = 4;

/**
 * What goes to which host, in this process: how many destinations are claimed of each, and when their tries begin. A host is one of one workspace:
 * what one does to it says nothing about what another finds there. So what one receiver does delays no other.
 */
export class Traffic {
  private readonly hosts = new Map<string, HostQueue>();
  /** Those that destinations are claimed of. */
  private readonly busy = new Map<string, HostQueue>();
  private destinations = 0;
  private waiting: (() => void)[] = [];

  constructor(private readonly limits: TrafficLimits) {}

  /** Destinations under way that count against the common limit: those of slow hosts have one of their own, as far as it goes. */
  get taken(): number {
    return this.destinations - Math.min(this.slowDestinations, this.limits.slowConcurrency);
  }

  get free(): number {
    return this.limits.concurrency - this.taken;
  }

  /** Hosts of which no destination may be claimed now. */
  full(now: Date): string[] {
    const given = this.given(now);
    const slow = given.isFullOfSlow ? [...this.hosts].filter(([, { isSlow }]) => isSlow) : [];
    return [...new Map([...this.busy, ...slow]).keys()].filter((label) => !this.hasRoom(label, 0, given));
  }

  /** Those that may be claimed of the destinations that were found, in their order. */
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

  /** A destination was claimed; call what it answers when the destination is let go of. */
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

  /** Whether a try would be sent, for whoever has not built it yet. */
  canSend(label: string, entrance: SendRequest): 'go' | 'full' | 'postponed' {
    return this.queue(label).canSend(entrance);
  }

  /** Waits for a place, for a moment; a pass must be given back. */
  acquire(label: string, entrance: SendRequest): Promise<Admittance> {
    return this.queue(label).acquire(entrance);
  }

  /** Resolves when there may be room that was not there before. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private given(now: Date): { free: number; readonly isFullOfSlow: boolean; readonly now: Date } {
    return { free: this.free, isFullOfSlow: this.slowDestinations >= this.limits.slowConcurrency, now };
  }

  /** Whether one more destination may be claimed of a host than are now, and `more`. */
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
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private forgetOne(): void {
    for (const [label, { isIdle }] of this.hosts) {
      if (!isIdle) continue;
      this.hosts.delete(label);
      return;
    }
  }
}
