import { isInfrastructureError, type Clock, type Logger } from '@opendsr-service/service';
import type { DeliveryCounts } from '../destinations/delivery-counts';
import type { ClaimedDestination, GivenUpReason, PendingCallback } from '../destinations/destination';
import { deliveryId, type Attempt } from '../destinations/destination-events';
import { nextTick, sendAt } from '../destinations/tick';
import type { DestinationClaims } from '../destinations/destination-claims.store';
import { buildCallback, openTarget, type Target, type BuildDependencies } from './build-callback';
import type { CallbackSender } from './callbacks.client';
import type { HostOutcomes } from './host-outcomes';
import { MAX_WAIT_TIMES } from './host-queue';
import { isLastTry, nextStep, type DispatchTimes } from './next-step';
import { shownOutcome, type NotBuilt, type TryOutcome } from './outcome';
import type { Traffic } from './traffic';

export interface DeliveryRunParts {
  readonly store: DestinationClaims;
  readonly dependencies: BuildDependencies;
  readonly client: Pick<CallbackSender, 'post'>;
  readonly traffic: Traffic;
  readonly counts: DeliveryCounts;
  readonly hosts: Pick<HostOutcomes, 'tried'>;
  readonly clock: Clock;
  readonly times: DispatchTimes;
  /** Longer than one attempt; each delivery renews the claim. */
  readonly leaseMs: number;
  /** Time that must remain on the claim when an attempt begins. */
  readonly tryMs: number;
  readonly againAfterMs: number;
  readonly log: Logger;
}

const POSTPONED: TryOutcome = { kind: 'failed', reason: 'breaker-open', durationMs: 0 };

/** Failures that this process did not see may have postponed other callbacks to the host. */
const endsFailures = ({ tries }: ClaimedDestination, { kind }: TryOutcome): boolean =>
  kind === 'delivered' && tries !== undefined;

/** Neither the repeated check of an unserved version nor a destroyed key is recorded as an attempt. */
const isAttempt = ({ unservedSince }: ClaimedDestination, outcome: TryOutcome): boolean =>
  outcome.kind === 'delivered' ||
  (outcome.reason === 'version-not-served' ? unservedSince === undefined : outcome.reason !== 'key-destroyed');

/** Sends the callbacks of a claimed destination in order until all are delivered or one fails. */
export class DeliveryRun {
  constructor(private readonly parts: DeliveryRunParts) {}

  async run(claimed: ClaimedDestination, stopping: AbortSignal): Promise<void> {
    const target = await this.build(claimed, () => openTarget(claimed, this.parts.dependencies));
    let destination: ClaimedDestination | undefined = claimed;
    while (destination?.pending[0]) {
      if (stopping.aborted) {
        await this.parts.store.release(destination, this.parts.clock.now());
        return;
      }
      destination = await this.send(destination, destination.pending[0], target);
    }
  }

  /** Makes one attempt; returns the destination where more is to be sent. */
  private async send(
    destination: ClaimedDestination,
    callback: PendingCallback,
    target: Target | TryOutcome,
  ): Promise<ClaimedDestination | undefined> {
    const { store, clock, againAfterMs, counts } = this.parts;
    const at = clock.now();
    const outcome = 'kind' in target ? target : await this.try(destination, callback, target);
    if (outcome === 'lost') return undefined;
    if (outcome === 'full') {
      await store.release(
        destination,
        new Date(clock.now().getTime() + againAfterMs),
        'host' in target ? target.host : undefined,
      );
      return undefined;
    }
    const tried: Attempt = { at, attempt: (destination.attempts?.[callback.v] ?? 0) + 1, ...shownOutcome(outcome) };
    if (isAttempt(destination, outcome)) counts.attempted(tried.outcome);
    this.logAttempt(destination, callback, { tried, outcome });
    return this.record(destination, tried, outcome);
  }

  private async record(
    destination: ClaimedDestination,
    tried: Attempt,
    outcome: TryOutcome,
  ): Promise<ClaimedDestination | undefined> {
    const { store, clock, times, leaseMs } = this.parts;
    const now = clock.now();
    // The time of a retry must not reveal how long an unanswered attempt took, or URLs could probe networks.
    const from = tried.httpStatus === undefined ? tried.at : now;
    const step = nextStep(outcome, destination, from, times);
    const dueAt = sendAt(destination._id, from, times);
    switch (step.kind) {
      case 'delivered':
        return store.markDelivered(destination, tried, now, { leaseUntil: new Date(now.getTime() + leaseMs), dueAt });
      case 'retry':
        await store.reschedule(
          destination,
          { ...tried, nextAt: step.dueAt },
          { tries: step.tries, failingSince: step.failingSince, ...(outcome === POSTPONED && { postponed: true }) },
        );
        return undefined;
      case 'wait':
        this.warnFailed(destination, {}, 'Callbacks wait until their version of the protocol is served');
        await store.defer(destination, tried, step.dueAt);
        return undefined;
      case 'give-up':
        await this.giveUp(destination, step.reason, { tried, dueAt });
        return undefined;
    }
  }

  /** Counts only what was written under the claim. */
  private async giveUp(
    destination: ClaimedDestination,
    reason: GivenUpReason,
    { tried, dueAt }: { tried: Attempt; dueAt: Date },
  ): Promise<void> {
    const { store, counts } = this.parts;
    const ended = () =>
      store.giveUp(destination, reason, { at: tried.at, dueAt, ...(reason === 'exhausted' && { tried }) });
    const count =
      reason === 'gone'
        ? await store.settleGone(destination, tried, tried.at)
        : (await ended())
          ? destination.pending.length
          : 0;
    if (count === 0) return;
    counts.givenUp(reason, count);
    this.warnFailed(destination, { reason }, 'Callbacks are given up');
  }

  /**
   * An attempt begins only if it ends before the claim does. `full`: try later. `lost`: another sender has the claim.
   */
  private async try(
    destination: ClaimedDestination,
    callback: PendingCallback,
    target: Target,
  ): Promise<TryOutcome | 'full' | 'lost'> {
    const { dependencies, client, traffic, hosts, clock, times } = this.parts;
    const isLast = isLastTry(destination, clock.now(), times);
    const outlook = traffic.canSend(target.host, { now: clock.now(), isLast });
    if (outlook !== 'go') return outlook === 'full' ? 'full' : POSTPONED;
    const built = await this.build(destination, () =>
      buildCallback(destination, callback, target, dependencies.linkKeys),
    );
    if ('kind' in built) return built;
    const leaseUntil = await this.renewLease(destination);
    if (leaseUntil === undefined) return 'lost';
    const permit = await traffic.acquire(target.host, { now: clock.now(), isLast });
    if (typeof permit === 'string') return permit === 'full' ? 'full' : POSTPONED;
    if (!this.outlastsTry(leaseUntil)) {
      permit.cancel();
      this.warnFailed(destination, {}, 'A callback is rescheduled: its claim would end during the attempt');
      return 'full';
    }
    const at = clock.now();
    const outcome = await client.post(built);
    const isBack = permit.complete(outcome, clock.now());
    const { outcome: shown, httpStatus } = shownOutcome(outcome);
    const pausedUntil = traffic.pausedUntil(target.host);
    hosts.tried({ ws: destination.ws, host: target.host }, { at, outcome: shown, httpStatus, pausedUntil });
    if (isBack || endsFailures(destination, outcome)) await this.bringHostForward(destination, target.host);
    return outcome;
  }

  /** Renews the claim where it may end before the attempt does; returns its end. Undefined: it was lost. */
  private async renewLease(destination: ClaimedDestination): Promise<Date | undefined> {
    const { store, clock, leaseMs, againAfterMs } = this.parts;
    if (this.outlastsTry(destination.dueAt, MAX_WAIT_TIMES * againAfterMs)) return destination.dueAt;
    const leaseUntil = new Date(clock.now().getTime() + leaseMs);
    if (await store.renew(destination, leaseUntil)) return leaseUntil;
    this.warnFailed(destination, {}, 'A delivery run stops: its claim had expired');
    return undefined;
  }

  private outlastsTry(leaseUntil: Date, waitMs = 0): boolean {
    return leaseUntil.getTime() - this.parts.clock.now().getTime() >= waitMs + this.parts.tryMs;
  }

  /** A failure to bring destinations forward only delays them to their schedule. */
  private async bringHostForward(destination: ClaimedDestination, host: string): Promise<void> {
    const { store, clock, times, log } = this.parts;
    const recalled = store.bringForward(destination, host, nextTick(clock.now(), times.tickMs));
    await recalled.catch((error: unknown) =>
      log.warn({ ws: destination.ws, error }, 'Postponed callbacks could not be brought forward'),
    );
  }

  private async build<T extends object>(
    destination: ClaimedDestination,
    make: () => Promise<T | NotBuilt>,
  ): Promise<T | TryOutcome> {
    try {
      const made = await make();
      return typeof made === 'string' ? { kind: 'failed', reason: made, durationMs: 0 } : made;
    } catch (error) {
      // An outage of ours is not the receiver's: the claim expires, and the destination is tried again.
      if (isInfrastructureError(error)) throw error;
      this.parts.log.error(
        { ws: destination.ws, srid: destination.srid, version: destination.pending[0]?.v, error },
        'A callback cannot be built',
      );
      return { kind: 'failed', reason: 'not-built', durationMs: 0 };
    }
  }

  private warnFailed({ ws, srid, pending }: ClaimedDestination, facts: { reason?: string }, message: string): void {
    this.parts.log.warn({ ws, srid, ...facts, count: pending.length }, message);
  }

  private logAttempt(
    { _id, ws, srid }: ClaimedDestination,
    { v: version, status }: PendingCallback,
    { tried, outcome }: { tried: Attempt; outcome: TryOutcome },
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
