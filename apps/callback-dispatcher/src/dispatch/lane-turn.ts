import type { Clock, Log } from '@opendsr-service/runtime';
import { isStorageUnavailable } from '@opendsr-service/storage';
import type { DeliveryCounts } from '../lanes/delivery-counts';
import type { ClaimedLane, GivenUpReason, PendingCallback } from '../lanes/lane';
import { deliveryId, type Tried } from '../lanes/lane-events';
import { nextTick, sendingAt } from '../lanes/tick';
import type { TurnsStore } from '../lanes/turns.store';
import { buildCallback, openTarget, type Target, type Workshop } from './build-callback';
import type { CallbackSender } from './callbacks.client';
import { LONGEST_WAIT } from './host-queue';
import { isLastTry, nextStep, type DispatchTimes } from './next-step';
import { toldOutcome, type NotBuilt, type Outcome } from './outcome';
import type { Traffic } from './traffic';

export interface LaneTurnParts {
  readonly store: TurnsStore;
  readonly workshop: Workshop;
  readonly client: Pick<CallbackSender, 'post'>;
  readonly traffic: Traffic;
  readonly counts: DeliveryCounts;
  readonly clock: Clock;
  readonly times: DispatchTimes;
  /** Longer than all time-outs of one try together; each delivery renews it. */
  readonly leaseMs: number;
  /** What is left of the lease at least when a try is sent. */
  readonly tryMs: number;
  /** When a lane that found its host busy comes again. */
  readonly againAfterMs: number;
  readonly log: Log;
}

const POSTPONED: Outcome = { kind: 'failed', reason: 'breaker-open', durationMs: 0 };

const isStillUnserved = ({ unservedSince }: ClaimedLane, outcome: Outcome): boolean =>
  unservedSince !== undefined && outcome.kind === 'failed' && outcome.reason === 'version-not-served';

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
  private async send(
    lane: ClaimedLane,
    callback: PendingCallback,
    target: Target | Outcome,
  ): Promise<ClaimedLane | undefined> {
    const { store, clock, againAfterMs, counts } = this.parts;
    const at = clock.now();
    const outcome = 'kind' in target ? target : await this.try(lane, callback, target);
    if (outcome === 'lost') return undefined;
    if (outcome === 'full') {
      await store.giveBack(
        lane,
        new Date(clock.now().getTime() + againAfterMs),
        'host' in target ? target.host : undefined,
      );
      return undefined;
    }
    const tried: Tried = { at, attempt: (lane.attempts?.[callback.v] ?? 0) + 1, ...toldOutcome(outcome) };
    // A lane whose version is not served is only looked at again: what came of that is counted once, as it is told once.
    if (!isStillUnserved(lane, outcome)) counts.attempted(tried.outcome);
    this.report(lane, callback, { tried, outcome });
    return this.record(lane, tried, outcome);
  }

  private async record(lane: ClaimedLane, tried: Tried, outcome: Outcome): Promise<ClaimedLane | undefined> {
    const { store, clock, times, leaseMs } = this.parts;
    const now = clock.now();
    // When a try that was not answered is made again must not tell how long it took: whoever may name URLs would learn what is behind them.
    const from = tried.httpStatus === undefined ? tried.at : now;
    const step = nextStep(outcome, lane, from, times);
    const dueAt = sendingAt(lane._id, from, times);
    switch (step.kind) {
      case 'delivered':
        return store.delivered(lane, tried, now, { leaseUntil: new Date(now.getTime() + leaseMs), dueAt });
      case 'retry':
        await store.putOff(
          lane,
          { ...tried, nextAt: step.dueAt },
          { tries: step.tries, failingSince: step.failingSince, ...(outcome === POSTPONED && { postponed: true }) },
        );
        return undefined;
      case 'wait':
        this.warn(lane, {}, 'Callbacks wait until their version of the protocol is served');
        await store.putAside(lane, tried, step.dueAt);
        return undefined;
      case 'give-up':
        await this.giveUp(lane, step.reason, { tried, dueAt });
        return undefined;
    }
  }

  /** Counts only what was written: whoever lost the lane has given up nothing. */
  private async giveUp(
    lane: ClaimedLane,
    reason: GivenUpReason,
    { tried, dueAt }: { tried: Tried; dueAt: Date },
  ): Promise<void> {
    const { store, counts } = this.parts;
    const ended = () => store.giveUp(lane, reason, { at: tried.at, dueAt, ...(reason === 'exhausted' && { tried }) });
    const count =
      reason === 'gone' ? await store.stop(lane, tried, tried.at) : Number(await ended()) * lane.pending.length;
    if (count === 0) return;
    counts.givenUp(reason, count);
    this.warn(lane, { reason }, 'Callbacks are given up');
  }

  /**
   * Asks before the callback is built: a signature is the dearest part of it. A try begins only where it ends before the lease does, however
   * long the database took. `full`: its host is busy, or the lease too short, and it comes again. `lost`: another sender has the lane.
   */
  private async try(lane: ClaimedLane, callback: PendingCallback, target: Target): Promise<Outcome | 'full' | 'lost'> {
    const { workshop, client, traffic, clock, times } = this.parts;
    const isLast = isLastTry(lane, clock.now(), times);
    const outlook = traffic.outlook(target.host, { now: clock.now(), isLast });
    if (outlook !== 'go') return outlook === 'full' ? 'full' : POSTPONED;
    const built = await this.build(lane, () => buildCallback(lane, callback, target, workshop.linkKeys));
    if ('kind' in built) return built;
    const leaseUntil = await this.hold(lane);
    if (leaseUntil === undefined) return 'lost';
    const pass = await traffic.enter(target.host, { now: clock.now(), isLast });
    if (typeof pass === 'string') return pass === 'full' ? 'full' : POSTPONED;
    if (!this.isLongEnough(leaseUntil)) {
      pass.giveBack();
      this.warn(lane, {}, 'A callback is put off: its lease would end during the try');
      return 'full';
    }
    const outcome = await client.post(built);
    if (pass.leave(outcome, clock.now())) await this.recall(lane, target.host);
    return outcome;
  }

  /** Renews the lease where too little is left of it for the wait for a host and a try; answers until when it holds. Undefined: it was lost. */
  private async hold(lane: ClaimedLane): Promise<Date | undefined> {
    const { store, clock, leaseMs, againAfterMs } = this.parts;
    if (this.isLongEnough(lane.dueAt, LONGEST_WAIT * againAfterMs)) return lane.dueAt;
    const leaseUntil = new Date(clock.now().getTime() + leaseMs);
    if (await store.renew(lane, leaseUntil)) return leaseUntil;
    this.warn(lane, {}, 'Callbacks are left to another sender: their lease had ended');
    return undefined;
  }

  private isLongEnough(leaseUntil: Date, waitMs = 0): boolean {
    return leaseUntil.getTime() - this.parts.clock.now().getTime() >= waitMs + this.parts.tryMs;
  }

  /** What waits because nobody was reached need not wait any longer; where that cannot be written, it goes by the schedule. */
  private async recall(lane: ClaimedLane, host: string): Promise<void> {
    const { store, clock, times, log } = this.parts;
    const recalled = store.recall(lane, host, nextTick(clock.now(), times.tickMs));
    await recalled.catch((error: unknown) =>
      log.warn({ ws: lane.ws, error }, 'Callbacks that were postponed could not be recalled'),
    );
  }

  /** What cannot be built is an outcome too. */
  private async build<T extends object>(lane: ClaimedLane, make: () => Promise<T | NotBuilt>): Promise<T | Outcome> {
    try {
      const made = await make();
      return typeof made === 'string' ? { kind: 'failed', reason: made, durationMs: 0 } : made;
    } catch (error) {
      // A store that is away is no failure of the receiver: the lease runs out, and the lane is tried again as it is.
      if (isStorageUnavailable(error)) throw error;
      this.parts.log.error(
        { ws: lane.ws, srid: lane.srid, version: lane.pending[0]?.v, error },
        'A callback cannot be built',
      );
      return { kind: 'failed', reason: 'not-built', durationMs: 0 };
    }
  }

  private warn({ ws, srid, pending }: ClaimedLane, facts: { reason?: string }, message: string): void {
    this.parts.log.warn({ ws, srid, ...facts, count: pending.length }, message);
  }

  private report(
    { _id, ws, srid }: ClaimedLane,
    { v: version, status }: PendingCallback,
    { tried, outcome }: { tried: Tried; outcome: Outcome },
  ): void {
    const facts = {
      ws,
      srid,
      version,
      requestStatus: status,
      delivery: deliveryId({ _id }, version),
      status: outcome.status,
      attempt: tried.attempt,
    };
    if (outcome.kind === 'delivered') this.parts.log.info(facts, 'A callback was delivered');
    else this.parts.log.info({ ...facts, reason: outcome.reason }, 'A callback was not delivered');
  }
}
