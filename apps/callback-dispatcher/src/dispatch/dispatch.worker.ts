import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, Log } from '@opendsr-service/runtime';
import type { ClaimedLane } from '../lanes/lane';
import { nextTick } from '../lanes/tick';
import type { TurnsStore } from '../lanes/turns.store';
import type { LaneTurn } from './lane-turn';
import type { Traffic } from './traffic';

const GATHER_MS = 25;

export interface DispatchWorkerParts {
  readonly store: TurnsStore;
  readonly turn: LaneTurn;
  readonly traffic: Traffic;
  readonly clock: Clock;
  /** The most lanes that are sent at the same time. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly tickMs: number;
  readonly log: Log;
}

/** Claims lanes that are due and gives each its turn, side by side up to a limit. */
export class DispatchWorker {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly parts: DispatchWorkerParts) {}

  /** Takes as many lanes as there is room for, or waits until there is some; answers 0 where nothing is due. */
  async runOnce(): Promise<number> {
    if (this.stopping.signal.aborted) return 0;
    if (!(await this.hasRoom())) return 1;
    const lanes = await this.claim(this.parts.concurrency - this.running.size);
    for (const lane of lanes) {
      const turn = this.parts.turn.run(lane, this.stopping.signal).catch((error: unknown) => {
        this.parts.log.warn({ ws: lane.ws, srid: lane.srid, error }, 'The turn of a lane broke off; its lease runs out');
      });
      this.running.add(turn);
      void turn.then(() => this.running.delete(turn));
    }
    return lanes.length;
  }

  /** Lanes of slow hosts are taken one by one, and after all others. */
  private async claim(limit: number): Promise<ClaimedLane[]> {
    const { store, traffic, clock, leaseMs } = this.parts;
    const lanes = await store.claimDue(clock.now(), { limit, leaseMs, exceptHosts: traffic.slowHosts() });
    for (const host of traffic.openSlowHosts().slice(0, limit - lanes.length)) {
      const ofSlow = await store.claimDue(clock.now(), { limit: 1, leaseMs, host });
      if (ofSlow.length === 0) traffic.emptied(host);
      lanes.push(...ofSlow);
    }
    return lanes;
  }

  /** A claim for each place that gets free would cost as much as what is sent then: while much is sent, places are gathered for a moment. */
  private async hasRoom(): Promise<boolean> {
    const { concurrency } = this.parts;
    const enough = concurrency - Math.ceil(concurrency / 4);
    if (this.running.size <= enough) return true;
    const isOver = sleep(GATHER_MS, 'over' as const);
    while (this.running.size > enough) if ((await Promise.race([...this.running, isOver])) === 'over') break;
    return this.running.size < concurrency;
  }

  /**
   * How long it is until a lane may be due: what waits is known by its time, and what comes until then is due at the next tick. So callbacks
   * leave at their time, however seldom somebody looks.
   */
  async dueInMs(): Promise<number> {
    const { store, clock, tickMs } = this.parts;
    const now = clock.now();
    const tick = nextTick(new Date(now.getTime() + 1), tickMs);
    const due = (await store.nextDueAfter(now)) ?? tick;
    return Math.min(tick.getTime(), due.getTime()) - clock.now().getTime();
  }

  /** Resolves when no lane is being sent. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Lets each lane finish the try that is under way, and leaves what then remains to others. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.idle();
  }
}
