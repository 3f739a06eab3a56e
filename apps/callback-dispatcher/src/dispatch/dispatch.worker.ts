import type { Clock, Log } from '@opendsr-service/runtime';
import { nextTick } from '../lanes/tick';
import type { TurnsStore } from '../lanes/turns.store';
import type { LaneTurn } from './lane-turn';

export interface DispatchWorkerParts {
  readonly store: TurnsStore;
  readonly turn: LaneTurn;
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
    const { store, clock, concurrency, leaseMs } = this.parts;
    if (this.stopping.signal.aborted) return 0;
    if (this.running.size >= concurrency) {
      await Promise.race(this.running);
      return 1;
    }
    const lanes = await store.claimDue(clock.now(), concurrency - this.running.size, leaseMs);
    for (const lane of lanes) {
      const turn = this.parts.turn.run(lane, this.stopping.signal).catch((error: unknown) => {
        this.parts.log.warn({ ws: lane.ws, srid: lane.srid, error }, 'The turn of a lane broke off; its lease runs out');
      });
      this.running.add(turn);
      void turn.then(() => this.running.delete(turn));
    }
    return lanes.length;
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
