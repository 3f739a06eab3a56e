import { withDeadline } from '@opendsr-service/contracts';
import type { Clock, Logger } from '@opendsr-service/service';
import type { ClaimedDestination } from '../destinations/destination';
import { nextTick } from '../destinations/tick';
import type { DestinationClaims } from '../destinations/destination-claims.store';
import type { DeliveryRun } from './delivery-run';
import type { Traffic } from './traffic';

/** A claim for each place that gets free would cost as much as what is sent then: while much is sent, places are gathered for so long. */
const GATHER_MS = 25;
/** While hosts are full, others are looked for at least so often. */
const POLL_MS = 1_000;
/** One after the other hosts are found to be full, and more is looked at each time, up to so many destinations. */
const ROUNDS = 4;
const LONGEST_PAGE = 500;

export interface DispatchWorkerParts {
  readonly store: DestinationClaims;
  readonly run: DeliveryRun;
  readonly traffic: Traffic;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly tickMs: number;
  readonly log: Logger;
}

/** Claims destinations that are due and gives each its turn, side by side, as many as there is room for at their hosts and in all. */
export class DispatchWorker {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly parts: DispatchWorkerParts) {}

  /** Takes as many destinations as there is room for; where hosts are full, waits until that changes. Answers 0 where nothing can be due. */
  async runOnce(): Promise<number> {
    if (this.stopping.signal.aborted) return 0;
    await this.gather();
    const { traffic } = this.parts;
    // What changes while it looks counts as well.
    const changed = traffic.changed();
    const count = traffic.free > 0 ? await this.claim() : undefined;
    if (count !== undefined) return count;
    await soon(changed, Math.min(POLL_MS, await this.dueInMs()));
    return 1;
  }

  /**
   * Answers how many destinations were taken, or found where others took them first. Undefined: none of the hosts that had room when it asked, and
   * others were left out, of which destinations may be due. By the time of the answer they may have room as well, so that it does not tell.
   */
  private async claim(): Promise<number | undefined> {
    const { store, traffic, clock, leaseMs } = this.parts;
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
      const destinations = await store.claimDue(now, { limit, leaseMs, exceptHosts, choose });
      for (const destination of destinations) this.begin(destination);
      taken += destinations.length;
      if (found < limit) break;
    }
    if (taken > 0 || found > 0) return Math.max(taken, 1);
    return leftOut > 0 ? undefined : 0;
  }

  private begin(destination: ClaimedDestination): void {
    const leave = this.parts.traffic.join(destination.host);
    const turn = this.parts.run.run(destination, this.stopping.signal).catch((error: unknown) => {
      this.parts.log.warn(
        { ws: destination.ws, srid: destination.srid, error },
        'The turn of a destination broke off; its lease runs out',
      );
    });
    this.running.add(turn);
    void turn.then(() => {
      this.running.delete(turn);
      leave();
    });
  }

  /** Waits for a moment where many are under way, until a good part of them has ended. */
  private async gather(): Promise<void> {
    const { traffic } = this.parts;
    const many = (traffic.taken + traffic.free) / 4;
    if (traffic.taken <= many) return;
    const enough = traffic.taken - Math.min(many, traffic.taken / 2);
    const until = performance.now() + GATHER_MS;
    while (traffic.taken > enough && performance.now() < until)
      await soon(traffic.changed(), until - performance.now());
  }

  /**
   * How long it is until a destination may be due: what waits is known by its time, and what comes until then is due at the next tick. So callbacks
   * leave at their time, however seldom somebody looks.
   */
  async dueInMs(): Promise<number> {
    const { store, clock, tickMs } = this.parts;
    const now = clock.now();
    const tick = nextTick(new Date(now.getTime() + 1), tickMs);
    const due = (await store.nextDueAfter(now)) ?? tick;
    return Math.min(tick.getTime(), due.getTime()) - clock.now().getTime();
  }

  /** Resolves when no destination is being sent. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Lets each destination finish the try that is under way, and leaves what then remains to others. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.idle();
  }
}

/** Resolves with the promise, or after `afterMs`. */
const soon = (promise: Promise<void>, afterMs: number): Promise<void> =>
  withDeadline(promise, Math.max(1, afterMs), () => undefined);
