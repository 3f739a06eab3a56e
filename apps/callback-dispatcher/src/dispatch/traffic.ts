import { createHash } from 'node:crypto';
import { HostQueue, type Answer, type Entrance, type HostLimits } from './host-queue';

/** How much a process sends at the same time, and how long a claim of it holds. */
export interface DispatchLimits extends HostLimits {
  readonly concurrency: number;
  readonly leaseMs: number;
}

export interface TrafficLimits extends HostLimits {
  /** The most tries at the same time to all slow hosts together. */
  readonly slowConcurrency: number;
}

/** By what lanes of a host are found; no address stands in the lanes. */
export const hostLabel = (host: string): string => createHash('sha256').update(host).digest('base64url').slice(0, 16);

/** So many hosts are remembered; beyond that the one that was met first and has nothing on its way is forgotten. */
const HOSTS_KNOWN = 10_000;

/**
 * What goes to which host, in this process: so many tries at a time, one where the host is slow, none where it cannot be reached. So what
 * one receiver does delays no other.
 */
export class Traffic {
  private readonly hosts = new Map<string, HostQueue>();
  private readonly slow = new Map<string, HostQueue>();

  constructor(private readonly limits: TrafficLimits) {}

  /** Whether a try would be sent, for whoever has not built it yet. */
  outlook(label: string, entrance: Entrance): 'go' | 'full' | 'postponed' {
    const queue = this.queue(label);
    const answer = queue.isSlow && this.slowTries >= this.limits.slowConcurrency ? 'full' : queue.outlook(entrance);
    if (answer === 'full') queue.isAwaited = true;
    return answer;
  }

  /** Waits for a place, for a moment; a pass must be given back. */
  async enter(label: string, entrance: Entrance): Promise<Answer> {
    if (this.outlook(label, entrance) === 'full') return 'full';
    const answer = await this.queue(label).enter(entrance);
    if (answer === 'full') this.queue(label).isAwaited = true;
    return answer;
  }

  /** Slow hosts: their lanes are claimed one by one. */
  slowHosts(): string[] {
    return [...this.slow.keys()];
  }

  /** Slow hosts that could take one more, and had to turn some away. */
  openSlowHosts(): string[] {
    const free = this.limits.slowConcurrency - this.slowTries;
    return [...this.slow].flatMap(([label, queue]) => (queue.isAwaited && queue.hasPlace ? [label] : [])).slice(0, Math.max(0, free));
  }

  /** Nothing is due there any more. */
  emptied(label: string): void {
    this.queue(label).isAwaited = false;
  }

  private get slowTries(): number {
    return [...this.slow.values()].reduce((sum, { tries }) => sum + tries, 0);
  }

  private queue(label: string): HostQueue {
    const known = this.hosts.get(label);
    if (known) return known;
    if (this.hosts.size >= HOSTS_KNOWN) this.forgetOne();
    const queue = new HostQueue(this.limits, (changed) => this.note(label, changed));
    this.hosts.set(label, queue);
    return queue;
  }

  private note(label: string, queue: HostQueue): void {
    if (queue.isSlow) this.slow.set(label, queue);
    else this.slow.delete(label);
    if (queue.isForgettable) this.hosts.delete(label);
  }

  private forgetOne(): void {
    for (const [label, { tries }] of this.hosts) {
      if (tries > 0) continue;
      this.hosts.delete(label);
      this.slow.delete(label);
      return;
    }
  }
}
