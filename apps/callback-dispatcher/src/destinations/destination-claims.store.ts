import { CallJoiner, DueTimes } from '@opendsr-service/storage';
import { attemptOf, removalOf, type RemovalOptions } from './callback-removal';
import type { ClaimedDestination, Destination, GivenUpReason } from './destination';
import type { Attempt } from './destination-events';
import type { DestinationChange, DestinationsCollection } from './destinations-collection.store';
import { undeliveredChange } from './undelivered';

export interface Claim {
  readonly limit: number;
  readonly leaseMs: number;
  readonly exceptHosts?: readonly string[];
  readonly choose?: (found: readonly Pick<Destination, 'host'>[]) => readonly Pick<Destination, 'host'>[];
}

interface NextRun {
  /** The end of the renewed claim, where more is pending. */
  readonly leaseUntil: Date;
  readonly dueAt: Date;
}

/** Claims on destinations (decision 7), and what a delivery run writes with them: each write names the token of its claim. */
export class DestinationClaims {
  private readonly due: DueTimes<Destination>;
  private readonly finishes = new CallJoiner((finished: readonly Finished[]) => this.finishAll(finished));

  constructor(private readonly destinations: DestinationsCollection) {
    this.due = new DueTimes(destinations.documents, { due: 'dueAt', filter: ['ws'] });
  }

  /** Releases the claims of a dead process; call it only when no other process uses the database. */
  releaseClaims(now: Date): Promise<void> {
    return this.due.releaseAll(now);
  }

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

  nextDueAfter(now: Date): Promise<Date | undefined> {
    return this.due.nextAfter(now);
  }

  /** Returns the destination while more is claimed; undefined: none is, or the claim was lost. */
  async markDelivered(
    destination: ClaimedDestination,
    tried: Attempt,
    at: Date,
    { leaseUntil, dueAt }: NextRun,
  ): Promise<ClaimedDestination | undefined> {
    const removal = this.removal(destination, { count: 1, at, tried });
    const pending = destination.pending.slice(1);
    if (pending.length === 0) {
      const isHeld = await this.finishes.call({ destination, removal });
      if (isHeld) await this.releaseWithRest(destination, removal, { at, dueAt });
      return undefined;
    }
    const change = { ...removal, $set: { ...removal.$set, dueAt: leaseUntil }, $unset: UNSET_RETRY };
    const isHeld = await this.writeHeld(destination, change, { removed: 1 });
    if (!isHeld) return undefined;
    const outcome = removal.$set.outcome ?? destination.outcome;
    return { ...destination, ...NOT_FAILING, outcome, dueAt: leaseUntil, pending };
  }

  /** False, here and below: the claim was lost. */
  async giveUp(
    destination: ClaimedDestination,
    reason: GivenUpReason,
    { at, dueAt, tried }: { at: Date; dueAt: Date; tried?: Attempt },
  ): Promise<boolean> {
    const removal = this.removal(destination, { count: destination.pending.length, at, tried, reason });
    // Decided by the filter: while the claim is held callbacks are only added.
    const isIdle = await this.destinations.update(heldWithoutMore(destination), { ...removal, $unset: UNSET_ALL_WORK });
    return isIdle || this.releaseWithRest(destination, removal, { at, dueAt });
  }

  /** Gives up all callbacks, also those added since the claim. Returns their number; 0: the claim was lost. */
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
      const gone = { ...change, $set: { ...$set, goneAt: destination.goneAt ?? at }, $unset: UNSET_ALL_WORK };
      if (await this.destinations.update(heldWithoutMore(destination), gone)) return destination.pending.length;
      destination = (await this.destinations.documents.findOne(held(destination))) as ClaimedDestination | null;
    }
    return 0;
  }

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

  /** A version may stay unserved for long: its attempt is published once, and failures from before count no more. */
  defer(destination: ClaimedDestination, tried: Attempt, dueAt: Date): Promise<boolean> {
    if (destination.unservedSince) return this.release(destination, dueAt);
    return this.recordTry(destination, tried, {
      $set: { unservedSince: tried.at, dueAt },
      $unset: { ...UNSET_FAILURES, token: 1 },
    });
  }

  renew(destination: ClaimedDestination, leaseUntil: Date): Promise<boolean> {
    return this.destinations.update(held(destination), { $set: { dueAt: leaseUntil } });
  }

  /** `host` is stored where it was unknown. */
  release(destination: ClaimedDestination, dueAt: Date, host = destination.host): Promise<boolean> {
    const change = { $set: { dueAt, ...(host !== undefined && { host }) }, $unset: { token: 1 } } as const;
    return this.writeHeld(destination, change, { isServed: destination.unservedSince === undefined });
  }

  /** Called when the host is reachable again. */
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
    const { events, counts } = attemptOf(destination, tried);
    const change = {
      $push: { outbox: { $each: [...events] } },
      $set: { ...counts, outboxAt: tried.at, outboxBy: this.destinations.outboxBy, ...$set },
      $min: { outboxSince: tried.at },
      $unset: $unset ?? {},
    };
    return this.writeHeld(destination, change, { isServed: $set?.unservedSince === undefined });
  }

  /** Writes `undeliveredSince` as well. Where the claim saw replays alone, what came since counts: it may be a callback. */
  private async writeHeld(
    destination: ClaimedDestination,
    change: DestinationChange,
    of: { readonly removed?: number; readonly isServed?: boolean },
  ): Promise<boolean> {
    const { removed = 0, isServed = true } = of;
    const { $set, $unset } = undeliveredChange(destination.pending.slice(removed), isServed);
    const isKnown = !isServed || $set.undeliveredSince !== undefined;
    const isWritten = await this.destinations.update(isKnown ? held(destination) : heldWithoutMore(destination), {
      ...change,
      $set: { ...$set, ...change.$set },
      $unset: { ...$unset, ...change.$unset },
    });
    if (isWritten || isKnown) return isWritten;
    const more = await this.destinations.documents.findOne(held(destination), { projection: { pending: 1 } });
    return more !== null && this.writeHeld({ ...destination, pending: more.pending }, change, of);
  }

  private removal(destination: ClaimedDestination, options: RemovalOptions): Removal {
    return removalOf(destination, options, this.destinations.outboxBy);
  }

  /** Writes the ends of many destinations at once; answers for each whether it is still held, because more was added. */
  private async finishAll(finished: readonly Finished[]): Promise<boolean[]> {
    const { documents } = this.destinations;
    const { matchedCount } = await documents.bulkWrite(
      finished.map(({ destination, removal }) => ({
        updateOne: { filter: heldWithoutMore(destination), update: { ...removal, $unset: UNSET_ALL_WORK } },
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

  /** Releases a destination onto which callbacks were added since the claim. False: there are none, or it was lost. */
  private async releaseWithRest(
    destination: ClaimedDestination,
    removal: Removal,
    { at, dueAt }: { at: Date; dueAt: Date },
  ): Promise<boolean> {
    const withMore = { ...held(destination), [following(destination)]: { $exists: true } };
    const seen = await this.destinations.documents.findOne(withMore, { projection: { pending: 1 } });
    if (!seen) return false;
    const rest = seen.pending.slice(destination.pending.length);
    const { $set, $unset } = undeliveredChange(rest);
    // A replay does not wait for the tick.
    const next = rest.some(({ replay }) => replay !== undefined) ? at : dueAt;
    const isReleased = await this.destinations.update(heldWithoutMore({ ...destination, pending: seen.pending }), {
      ...removal,
      $set: { ...removal.$set, ...$set, dueAt: next },
      $unset: { ...UNSET_RETRY_AND_CLAIM, ...$unset },
    });
    return isReleased || this.releaseWithRest(destination, removal, { at, dueAt });
  }
}

type Removal = ReturnType<typeof removalOf>;

interface Finished {
  readonly destination: ClaimedDestination;
  readonly removal: Removal;
}

const UNSET_FAILURES = { tries: 1, failingSince: 1, postponed: 1 } as const;
const UNSET_RETRY = { ...UNSET_FAILURES, unservedSince: 1 } as const;
const NOT_FAILING = { tries: undefined, failingSince: undefined, postponed: undefined, unservedSince: undefined };
const UNSET_RETRY_AND_CLAIM = { ...UNSET_RETRY, token: 1 } as const;
const UNSET_ALL_WORK = { ...UNSET_RETRY_AND_CLAIM, dueAt: 1, undeliveredSince: 1 } as const;

const held = ({ _id, ws, token }: ClaimedDestination) => ({ _id, ws, token });
const following = ({ pending }: ClaimedDestination) => `pending.${pending.length}`;
const heldWithoutMore = (destination: ClaimedDestination) => ({
  ...held(destination),
  [following(destination)]: { $exists: false },
});
