import type { Clock, Log } from '@opendsr-service/runtime';
import { isStorageUnavailable } from '@opendsr-service/storage';
import type { ClaimedLane, PendingCallback } from '../lanes/lane';
import type { Tried } from '../lanes/lane-events';
import { sendingAt } from '../lanes/tick';
import type { TurnsStore } from '../lanes/turns.store';
import { buildCallback, openTarget, type Target, type Workshop } from './build-callback';
import type { CallbackSender } from './callbacks.client';
import { nextStep, type DispatchTimes } from './next-step';
import { toldOutcome, type NotBuilt, type Outcome } from './outcome';

export interface LaneTurnParts {
  readonly store: TurnsStore;
  readonly workshop: Workshop;
  readonly client: Pick<CallbackSender, 'post'>;
  readonly clock: Clock;
  readonly times: DispatchTimes;
  /** Longer than all time-outs of one try together; each delivery renews it. */
  readonly leaseMs: number;
  readonly log: Log;
}

/** Sends what a claimed lane holds, in order, until all is delivered or a try fails: open, build, sign, send, record. */
export class LaneTurn {
  constructor(private readonly parts: LaneTurnParts) {}

  /** `stopping` ends the turn after the try that is under way. */
  async run(claimed: ClaimedLane, stopping: AbortSignal): Promise<void> {
    const target = await this.build(claimed, () => openTarget(claimed, this.parts.workshop));
    let lane: ClaimedLane | undefined = claimed;
    while (lane?.pending[0]) {
      if (stopping.aborted) {
        await this.parts.store.giveBack(lane, this.parts.clock.now());
        return;
      }
      lane = await this.send(lane, lane.pending[0], target);
    }
  }

  /** One try; answers what is left of the lane in this turn. */
  private async send(lane: ClaimedLane, callback: PendingCallback, target: Target | Outcome): Promise<ClaimedLane | undefined> {
    const at = this.parts.clock.now();
    const outcome = 'kind' in target ? target : await this.try(lane, callback, target);
    const tried: Tried = { at, attempt: (lane.attempts?.[callback.v] ?? 0) + 1, ...toldOutcome(outcome) };
    this.report(lane, callback, { tried, outcome });
    return this.record(lane, tried, outcome);
  }

  private async record(lane: ClaimedLane, tried: Tried, outcome: Outcome): Promise<ClaimedLane | undefined> {
    const { store, clock, times, leaseMs, log } = this.parts;
    const { ws, srid, pending } = lane;
    const now = clock.now();
    const step = nextStep(outcome, lane, now, times);
    const dueAt = sendingAt(lane._id, now, times);
    switch (step.kind) {
      case 'delivered':
        return store.delivered(lane, tried, now, { leaseUntil: new Date(now.getTime() + leaseMs), dueAt });
      case 'retry':
        await store.putOff(lane, { ...tried, nextAt: step.dueAt }, { tries: step.tries, failingSince: step.failingSince });
        return undefined;
      case 'wait':
        log.warn({ ws, srid, count: pending.length }, 'Callbacks wait until their version of the protocol is served');
        await store.putOff(lane, { ...tried, nextAt: step.dueAt }, {});
        return undefined;
      case 'give-up':
        log.warn({ ws, srid, reason: step.reason, count: pending.length }, 'Callbacks are given up');
        await (step.reason === 'gone' ? store.stop(lane, tried, now) : store.giveUp(lane, step.reason, { at: now, dueAt, ...(step.reason === 'exhausted' && { tried }) }));
        return undefined;
    }
  }

  private async try(lane: ClaimedLane, callback: PendingCallback, target: Target): Promise<Outcome> {
    const built = await this.build(lane, () => buildCallback(lane, callback, target, this.parts.workshop.linkKeys));
    return 'kind' in built ? built : this.parts.client.post(built);
  }

  /** What cannot be built is an outcome too. */
  private async build<T extends object>(lane: ClaimedLane, make: () => Promise<T | NotBuilt>): Promise<T | Outcome> {
    try {
      const made = await make();
      return typeof made === 'string' ? { kind: 'failed', reason: made, durationMs: 0 } : made;
    } catch (error) {
      // A store that is away is no failure of the receiver: the lease runs out, and the lane is tried again as it is.
      if (isStorageUnavailable(error)) throw error;
      this.parts.log.error({ ws: lane.ws, srid: lane.srid, version: lane.pending[0]?.v, error }, 'A callback cannot be built');
      return { kind: 'failed', reason: 'not-built', durationMs: 0 };
    }
  }

  private report({ ws, srid }: ClaimedLane, { v: version }: PendingCallback, { tried, outcome }: { tried: Tried; outcome: Outcome }): void {
    const facts = { ws, srid, version, status: outcome.status, attempt: tried.attempt };
    if (outcome.kind === 'delivered') this.parts.log.debug(facts, 'A callback was delivered');
    else this.parts.log.info({ ...facts, reason: outcome.reason }, 'A callback was not delivered');
  }
}
