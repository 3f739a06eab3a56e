import type { DeliveryEvent } from '@opendsr-service/contracts';
import { DueTimes, BatchLoader } from '@opendsr-service/storage';
import type { ClaimedDestination, GivenUpReason, Destination, PastCallback, PendingCallback } from './destination';
import { callbackAttempted, callbackGivenUp, destinationSettled, type Attempt } from './destination-events';
import type { DestinationChange, DestinationsCollection } from './destinations-collection.store';
import { isFinal } from './status-changes';
import { undeliveredChange } from './undelivered';

export interface Claim {
  readonly limit: number;
  readonly leaseMs: number;
  readonly exceptHosts?: readonly string[];
  /** Which of those found are taken. */
  readonly choose?: (found: readonly Pick<Destination, 'host'>[]) => readonly Pick<Destination, 'host'>[];
}

/** When a destination goes on. */
export interface NextRun {
  /** While its sender has more of it to send: until when it holds it then. */
  readonly leaseUntil: Date;
  /** When what came meanwhile is sent. */
  readonly dueAt: Date;
}

/** The claims of senders on destinations (D7). Whoever finishes names the token of its claim. Times come from the caller. */
export class DestinationClaims {
  private readonly due: DueTimes<Destination>;
  private readonly finishes = new BatchLoader((finished: readonly Finished[]) => this.finishAll(finished));

  constructor(private readonly destinations: DestinationsCollection) {
    this.due = new DueTimes(destinations.model, { due: 'dueAt', filter: ['ws'] });
  }

  /** Releases the claims of a process that died, for one that is alone with the database. */
  releaseClaims(now: Date): Promise<void> {
    return this.due.releaseAll(now);
  }

  /** Takes destinations that are due, the longest overdue first. */
  async claimDue(
    now: Date,
    { limit, leaseMs, exceptHosts = [], choose = (found) => found }: Claim,
  ): Promise<ClaimedDestination[]> {
    const where = exceptHosts.length > 0 && { host: { $nin: exceptHosts } };
    const claims = await this.due.claim(now, {
      limit,
      leaseMs,
      ...(where && { where }),
      choose: { by: ['host'], from: choose },
    });
    return claims.map(({ document }) => document as ClaimedDestination);
  }

  /** The earliest time at which a destination is due after `now`. */
  nextDueAfter(now: Date): Promise<Date | undefined> {
    return this.due.nextAfter(now);
  }

  /** Takes a delivered callback off, the first; answers what its sender goes on with. Undefined: nothing, or the lease was lost. */
  async markDelivered(
    destination: ClaimedDestination,
    tried: Attempt,
    at: Date,
    { leaseUntil, dueAt }: NextRun,
  ): Promise<ClaimedDestination | undefined> {
    const change = this.removal(destination, { count: 1, at, tried });
    if (destination.pending.length === 1) {
      if (await this.finishes.load({ destination, change }))
        await this.releaseWithRest(destination, change, { at, dueAt });
      return undefined;
    }
    const pending = destination.pending.slice(1);
    const { $set, $unset } = undeliveredChange(pending);
    const isHeld = await this.destinations.update(held(destination), {
      ...change,
      $set: { ...change.$set, ...$set, dueAt: leaseUntil },
      $unset: { ...FAILING, ...$unset },
    });
    const { outcome = destination.outcome } = change.$set;
    return isHeld
      ? {
          ...destination,
          dueAt: leaseUntil,
          tries: undefined,
          failingSince: undefined,
          postponed: undefined,
          unservedSince: undefined,
          outcome,
          pending,
        }
      : undefined;
  }

  /** Takes off all callbacks that were claimed, and keeps on record that they were not delivered. False: the lease was lost. */
  giveUp(
    destination: ClaimedDestination,
    reason: GivenUpReason,
    { at, dueAt, tried }: { at: Date; dueAt: Date; tried?: Attempt },
  ): Promise<boolean> {
    return this.removeAndRelease(
      destination,
      this.removal(destination, { count: destination.pending.length, at, tried, reason }),
      { at, dueAt },
    );
  }

  /**
   * Ends the destination for good, with whatever came onto it meanwhile: nothing is sent here any more, unless it is replayed. Answers how many
   * callbacks that gave up; 0: the lease was lost.
   */
  async settleGone(claimed: ClaimedDestination, tried: Attempt, at: Date): Promise<number> {
    let destination: ClaimedDestination | null = claimed;
    while (destination) {
      const { $set, ...change } = this.removal(destination, {
        count: destination.pending.length,
        at,
        tried,
        reason: 'gone',
        settles: true,
      });
      const gone = { ...change, $set: { ...$set, goneAt: destination.goneAt ?? at }, $unset: IDLE };
      if (await this.destinations.update(heldWithoutMore(destination), gone)) return destination.pending.length;
      destination = (await this.destinations.documents.findOne(held(destination))) as ClaimedDestination | null;
    }
    return 0;
  }

  /** Notes a try that failed, and lets go of the destination until the next. False: the lease was lost. */
  reschedule(
    destination: ClaimedDestination,
    tried: Attempt & { readonly nextAt: Date },
    failing: Pick<Destination, 'tries' | 'failingSince' | 'postponed'>,
  ): Promise<boolean> {
    return this.recordTry(destination, tried, {
      $set: { ...failing, dueAt: tried.nextAt },
      $unset: { token: 1, unservedSince: 1, ...(!failing.postponed && { postponed: 1 }) },
    });
  }

  /** Lets go of a destination whose version is not served, until it is looked at again: that it was not sent is told once, for it may stay so for long. False: the lease was lost. */
  defer(destination: ClaimedDestination, tried: Attempt, dueAt: Date): Promise<boolean> {
    if (destination.unservedSince) return this.release(destination, dueAt);
    return this.recordTry(destination, tried, { $set: { unservedSince: tried.at, dueAt }, $unset: { token: 1 } });
  }

  /** Holds the destination until then. False: the lease was lost. */
  renew(destination: ClaimedDestination, leaseUntil: Date): Promise<boolean> {
    return this.destinations.update(held(destination), { $set: { dueAt: leaseUntil } });
  }

  /** Lets go of the destination as it is; `host`: it has to wait for that. False: the lease was lost. */
  release(destination: ClaimedDestination, dueAt: Date, host = destination.host): Promise<boolean> {
    const { $set, $unset } = undeliveredChange(destination.pending);
    return this.destinations.update(held(destination), {
      $set: { ...$set, dueAt, ...(host !== undefined && { host }) },
      $unset: { ...$unset, token: 1 },
    });
  }

  /** What was postponed for the host of this destination, which can be reached again, comes at `dueAt`, where the schedule says later. */
  async bringForward({ ws }: Pick<Destination, 'ws'>, host: string, dueAt: Date): Promise<void> {
    await this.destinations.documents.updateMany(
      { ws, host, postponed: true, dueAt: { $gt: dueAt }, token: { $exists: false } },
      { $set: { dueAt }, $unset: { postponed: 1 } },
    );
  }

  private recordTry(
    destination: ClaimedDestination,
    tried: Attempt,
    { $set, $unset }: Pick<DestinationChange, '$set' | '$unset'>,
  ): Promise<boolean> {
    const { push, set, min } = this.destinations.outbox(attempted(destination, tried), tried.at);
    const left = undeliveredChange(destination.pending);
    return this.destinations.update(held(destination), {
      $push: push,
      $min: min,
      $set: { ...set, ...attemptCount(destination, tried), ...left.$set, ...$set },
      $unset: { ...left.$unset, ...$unset },
    });
  }

  /** Takes the first `count` callbacks off, tells of it, and where the final status is among them that the destination is settled. */
  private removal(destination: ClaimedDestination, { count, at, tried, reason, settles }: RemovalOptions): Removal {
    const taken = destination.pending.slice(0, count);
    const givenUp = reason ? taken.map((callback) => callbackGivenUp(destination, callback, { reason, at })) : [];
    const outcome = !destination.outcome && (settles || taken.some(isFinal)) ? (reason ?? 'delivered') : undefined;
    const { push, set, min } = this.destinations.outbox(
      [
        ...attempted(destination, tried),
        ...givenUp,
        ...(outcome ? [destinationSettled(destination, outcome, at)] : []),
      ],
      at,
    );
    return {
      $pull: { pending: { v: { $in: taken.map(({ v }) => v) } } },
      $push: { ...push, past: { $each: taken.flatMap((callback) => pastOf(callback, reason, at)) } },
      $min: min,
      $set: { ...set, ...attemptCount(destination, tried), ...(outcome && { outcome }) },
    };
  }

  /**
   * Where more waits than was claimed the destination is due at `dueAt`, else it is idle. Which of the two is decided in the filter: while the lease
   * is held callbacks are only added, and once more is there, it stays. False: the lease was lost, and another sender may have the destination.
   */
  private async removeAndRelease(
    destination: ClaimedDestination,
    change: Removal,
    nextPending: { at: Date; dueAt: Date },
  ): Promise<boolean> {
    return (
      (await this.destinations.update(heldWithoutMore(destination), { ...change, $unset: IDLE })) ||
      this.releaseWithRest(destination, change, nextPending)
    );
  }

  /** Writes many last callbacks of their destinations off at once; answers which destinations are still held, because more came onto them. */
  private async finishAll(finished: readonly Finished[]): Promise<boolean[]> {
    const { documents } = this.destinations;
    const { matchedCount } = await documents.bulkWrite(
      finished.map(({ destination, change }) => ({
        updateOne: { filter: heldWithoutMore(destination), update: { ...change, $unset: IDLE } },
      })),
      { ordered: false },
    );
    if (matchedCount === finished.length) return finished.map(() => false);
    const each = (field: '_id' | 'ws' | 'token') => ({
      $in: [...new Set(finished.map(({ destination }) => destination[field]))],
    });
    const stillHeld = await documents
      .find({ _id: each('_id'), ws: each('ws'), token: each('token') }, { projection: { token: 1 } })
      .toArray();
    const tokens = new Map(stillHeld.map(({ _id, token }) => [_id, token]));
    return finished.map(({ destination }) => tokens.get(destination._id) === destination.token);
  }

  private async releaseWithRest(
    destination: ClaimedDestination,
    change: Removal,
    { at, dueAt }: { at: Date; dueAt: Date },
  ): Promise<boolean> {
    // Which of it came meanwhile is not known here: it came since the claim.
    const waiting = { ...change, $set: { ...change.$set, dueAt, undeliveredSince: at }, $unset: FREE };
    const after = await this.destinations.documents.findOneAndUpdate(
      { ...held(destination), [following(destination)]: { $exists: true } },
      waiting,
      { returnDocument: 'after', projection: { 'pending.replay': 1, 'pending.at': 1 } },
    );
    // What is replayed does not wait for the tick.
    if (after?.pending.some(({ replay }) => replay !== undefined)) {
      const { $set, $unset } = undeliveredChange(after.pending);
      await this.destinations.update(
        { _id: destination._id, ws: destination.ws, dueAt, token: { $exists: false } },
        { $set: { ...$set, dueAt: at }, $unset },
      );
    }
    return after !== null;
  }
}

type Removal = DestinationChange & { readonly $set: Pick<Destination, 'outcome'> };

interface Finished {
  readonly destination: ClaimedDestination;
  readonly change: Removal;
}

interface RemovalOptions {
  readonly count: number;
  readonly at: Date;
  readonly tried: Attempt | undefined;
  readonly reason?: GivenUpReason;
  readonly settles?: boolean;
}

const FAILING = { tries: 1, failingSince: 1, postponed: 1, unservedSince: 1 } as const;
const FREE = { ...FAILING, token: 1 } as const;
const IDLE = { ...FREE, dueAt: 1, undeliveredSince: 1 } as const;

const held = ({ _id, ws, token }: ClaimedDestination) => ({ _id, ws, token });
/** Where what came behind the claimed callbacks would stand. */
const following = ({ pending }: ClaimedDestination) => `pending.${pending.length}`;
const heldWithoutMore = (destination: ClaimedDestination) => ({
  ...held(destination),
  [following(destination)]: { $exists: false },
});

const attempted = (destination: ClaimedDestination, tried: Attempt | undefined): DeliveryEvent[] =>
  tried && destination.pending[0] ? [callbackAttempted(destination, destination.pending[0], tried)] : [];

const attemptCount = (destination: ClaimedDestination, tried: Attempt | undefined) =>
  tried && destination.pending[0] ? { [`attempts.${destination.pending[0].v}`]: tried.attempt } : {};

const pastOf = (
  { replay, ...change }: PendingCallback,
  reason: GivenUpReason | undefined,
  endedAt: Date,
): PastCallback[] => (replay === undefined ? [{ ...change, ...(reason && { reason }), endedAt }] : []);
