import type { Clock, Log } from '@opendsr-service/runtime';
import { isStorageUnavailable } from '@opendsr-service/storage';
import type { ClaimedLane, PendingCallback } from '../lanes/lane';
import type { LanesStore } from '../lanes/lanes.store';
import { nextTick } from '../lanes/next-tick';
import { buildCallback, type Workshop } from './build-callback';
import type { CallbackSender } from './callbacks.client';
import { nextStep, type DispatchTimes } from './next-step';
import type { Outcome } from './outcome';

/** Longer than all time-outs of one try together; each delivery renews it. */
export const LEASE_MS = 120_000;

export interface LaneTurnParts {
  readonly store: LanesStore;
  readonly workshop: Workshop;
  readonly client: Pick<CallbackSender, 'post'>;
  readonly clock: Clock;
  readonly times: DispatchTimes;
  readonly log: Log;
}

/** Sends what a claimed lane holds, in order, until all is delivered or a try fails: build, sign, send, record. */
export class LaneTurn {
  constructor(private readonly parts: LaneTurnParts) {}

  /** `stopping` ends the turn after the try that is under way. */
  async run(claimed: ClaimedLane, stopping: AbortSignal): Promise<void> {
    let lane: ClaimedLane | undefined = claimed;
    while (lane?.pending[0]) {
      if (stopping.aborted) {
        await this.parts.store.putOff(lane, this.parts.clock.now());
        return;
      }
      lane = await this.send(lane, lane.pending[0]);
    }
  }

  /** One try; answers what is left of the lane in this turn. */
  private async send(lane: ClaimedLane, callback: PendingCallback): Promise<ClaimedLane | undefined> {
    const { store, clock, times } = this.parts;
    const outcome = await this.try(lane, callback);
    const now = clock.now();
    const step = nextStep(outcome, lane, now, times);
    this.report(lane, callback, outcome);
    const tick = nextTick(now, times.tickMs);
    switch (step.kind) {
      case 'delivered': {
        const left = { ...lane, tries: undefined, failingSince: undefined, pending: lane.pending.slice(1) };
        const holds = await store.delivered(lane, now, left.pending.length > 0 ? new Date(now.getTime() + LEASE_MS) : tick);
        return holds ? left : undefined;
      }
      case 'retry':
        await store.putOff(lane, step.dueAt, { tries: step.tries, failingSince: step.failingSince });
        return undefined;
      case 'wait':
        this.parts.log.warn({ ws: lane.ws, srid: lane.srid, count: lane.pending.length }, 'Callbacks wait until their version of the protocol is served');
        await store.putOff(lane, step.dueAt);
        return undefined;
      case 'give-up':
        this.parts.log.warn({ ws: lane.ws, srid: lane.srid, reason: step.reason, count: lane.pending.length }, 'Callbacks are given up');
        await (step.reason === 'gone' ? store.stop(lane, now) : store.giveUp(lane, step.reason, now, tick));
        return undefined;
    }
  }

  private async try(lane: ClaimedLane, callback: PendingCallback): Promise<Outcome> {
    const { workshop, client, log } = this.parts;
    try {
      const built = await buildCallback(lane, callback, workshop);
      return typeof built === 'string' ? { kind: 'failed', reason: built, durationMs: 0 } : await client.post(built);
    } catch (error) {
      // A store that is away is no failure of the receiver: the lease runs out, and the lane is tried again as it is.
      if (isStorageUnavailable(error)) throw error;
      log.error({ ws: lane.ws, srid: lane.srid, version: callback.v, error }, 'A callback cannot be built');
      return { kind: 'failed', reason: 'not-built', durationMs: 0 };
    }
  }

  private report({ ws, srid, tries = 0 }: ClaimedLane, { v: version }: PendingCallback, outcome: Outcome): void {
    const facts = { ws, srid, version, status: outcome.status, attempt: tries + 1 };
    if (outcome.kind === 'delivered') this.parts.log.debug(facts, 'A callback was delivered');
    else this.parts.log.info({ ...facts, reason: outcome.reason }, 'A callback was not delivered');
  }
}
