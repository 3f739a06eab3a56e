import { withDeadline } from '@opendsr-service/contracts';
import { dueInMs } from '@opendsr-service/service';
import type { ClaimedDestination } from '../destinations/destination';
import type { DestinationClaims } from '../destinations/destination-claims.store';
import { DeliveryRun, type DeliveryRunParts } from './delivery-run';
import { Traffic, type DispatchLimits } from './traffic';

/** Under load, claims are gathered for this long: one for each free slot costs as much as sending. */
const GATHER_MS = 25;
const POLL_MS = 1_000;
/** Each round may find full hosts only, so the next reads a larger page. */
const ROUNDS = 4;
const LONGEST_PAGE = 500;

interface DispatchWorkerParts extends Omit<DeliveryRunParts, 'traffic' | 'leaseMs' | 'tryMs' | 'againAfterMs'> {
  readonly limits: DispatchLimits;
  /** Called when a run has ended: it has set another time, and left events to publish. */
  readonly onRunEnd?: () => void;
}

/**
 * Claims due destinations and runs them in parallel, within the limits of hosts and process. What it knows of hosts is in
 * memory, of each process for itself.
 */
export class DispatchWorker {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  private readonly traffic: Traffic;
  private readonly run: DeliveryRun;

  constructor(private readonly parts: DispatchWorkerParts) {
    const { limits, times } = parts;
    const { leaseMs, tryMs, slowMs, breaker } = limits;
    const longestPauseMs = Math.max(breaker.pauseMs, times.tickMs);
    this.traffic = new Traffic({ ...limits, breaker: { ...breaker, longestPauseMs } });
    this.run = new DeliveryRun({ ...parts, traffic: this.traffic, leaseMs, tryMs, againAfterMs: slowMs });
  }

  /** Returns 0 where nothing can be due; waits while all due hosts are full. */
  async runOnce(): Promise<number> {
    if (this.stopping.signal.aborted) return 0;
    await this.gather();
    const { traffic } = this;
    // Subscribed before the claim, so that no change is missed.
    const changed = traffic.changed();
    const count = traffic.free > 0 ? await this.claim() : undefined;
    if (count !== undefined) return count;
    await soon(changed, Math.min(POLL_MS, (await this.dueInMs()) ?? POLL_MS));
    return 1;
  }

  /** Undefined: only hosts without room may have due destinations. */
  private async claim(): Promise<number | undefined> {
    const { store, clock, limits } = this.parts;
    const { traffic } = this;
    let [taken, found, leftOut] = [0, 0, 0];
    for (let round = 0; round < ROUNDS && traffic.free > 0; round += 1) {
      const now = clock.now();
      const limit = Math.min(traffic.free * 4 ** round, LONGEST_PAGE);
      const choose: Parameters<DestinationClaims['claimDue']>[1]['choose'] = (page) => {
        found = page.length;
        return traffic.choose(page, now);
      };
      const exceptHosts = traffic.full(now);
      leftOut = exceptHosts.length;
      const destinations = await store.claimDue(now, { limit, leaseMs: limits.leaseMs, exceptHosts, choose });
      for (const destination of destinations) this.begin(destination);
      taken += destinations.length;
      if (found < limit) break;
    }
    if (taken > 0 || found > 0) return Math.max(taken, 1);
    return leftOut > 0 ? undefined : 0;
  }

  private begin(destination: ClaimedDestination): void {
    const leave = this.traffic.join(destination.host);
    const run = this.run.run(destination, this.stopping.signal).catch((error: unknown) => {
      this.parts.log.warn(
        { ws: destination.ws, srid: destination.srid, error },
        'A delivery run failed; its claim expires',
      );
    });
    this.running.add(run);
    void run.then(() => {
      this.running.delete(run);
      leave();
      this.parts.onRunEnd?.();
    });
  }

  private async gather(): Promise<void> {
    const { traffic } = this;
    const many = (traffic.taken + traffic.free) / 4;
    if (traffic.taken <= many) return;
    const enough = traffic.taken - Math.min(many, traffic.taken / 2);
    const until = performance.now() + GATHER_MS;
    while (traffic.taken > enough && performance.now() < until)
      await soon(traffic.changed(), until - performance.now());
  }

  /** Until the next stored time. Undefined: none is stored. */
  dueInMs(): Promise<number | undefined> {
    const { store, clock } = this.parts;
    return dueInMs(clock, (now) => store.nextDueAfter(now));
  }

  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.idle();
  }
}

/** Resolves with the promise, or after `afterMs`. */
const soon = (promise: Promise<void>, afterMs: number): Promise<void> =>
  withDeadline(promise, Math.max(1, afterMs), () => undefined);
