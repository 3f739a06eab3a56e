import type { DeliveryEvent } from '@opendsr-service/contracts';
import { DueTimes, Gathered } from '@opendsr-service/storage';
import type { ClaimedLane, GivenUpReason, Lane, PastCallback, PendingCallback } from './lane';
import { callbackAttempted, callbackGivenUp, laneSettled, type Tried } from './lane-events';
import type { LaneChange, LanesCollection } from './lanes-collection.store';
import { isFinal } from './status-changes';
import { leaving } from './undelivered';

export interface Claim {
  /** How many at most. */
  readonly limit: number;
  readonly leaseMs: number;
  /** None of these hosts. */
  readonly exceptHosts?: readonly string[];
  /** Which of those found are taken. */
  readonly choose?: (found: readonly Pick<Lane, 'host'>[]) => readonly Pick<Lane, 'host'>[];
}

/** When a lane goes on. */
export interface Following {
  /** While its sender has more of it to send: until when it holds it then. */
  readonly leaseUntil: Date;
  /** When what came meanwhile is sent. */
  readonly dueAt: Date;
}

/** The turns of senders on lanes (D7). Whoever finishes names the token of its claim. Times come from the caller. */
export class TurnsStore {
  private readonly due: DueTimes<Lane>;
  private readonly finishes = new Gathered((finished: readonly Finished[]) => this.finishAll(finished));

  constructor(private readonly lanes: LanesCollection) {
    this.due = new DueTimes(lanes.model, { due: 'dueAt', filter: ['ws'] });
  }

  /** Gives back the claims of a process that died, for one that is alone with the database. */
  releaseClaims(now: Date): Promise<void> {
    return this.due.releaseAll(now);
  }

  /** Takes lanes that are due, the longest overdue first. */
  async claimDue(
    now: Date,
    { limit, leaseMs, exceptHosts = [], choose = (found) => found }: Claim,
  ): Promise<ClaimedLane[]> {
    const where = exceptHosts.length > 0 && { host: { $nin: exceptHosts } };
    const claims = await this.due.claim(now, {
      limit,
      leaseMs,
      ...(where && { where }),
      choose: { by: ['host'], from: choose },
    });
    return claims.map(({ document }) => document as ClaimedLane);
  }

  /** The earliest time at which a lane is due after `now`. */
  nextDueAfter(now: Date): Promise<Date | undefined> {
    return this.due.nextAfter(now);
  }

  /** Takes a delivered callback off, the first; answers what its sender goes on with. Undefined: nothing, or the lease was lost. */
  async delivered(
    lane: ClaimedLane,
    tried: Tried,
    at: Date,
    { leaseUntil, dueAt }: Following,
  ): Promise<ClaimedLane | undefined> {
    const change = this.takingOff(lane, { count: 1, at, tried });
    if (lane.pending.length === 1) {
      if (await this.finishes.ask({ lane, change })) await this.goOn(lane, change, { at, dueAt });
      return undefined;
    }
    const pending = lane.pending.slice(1);
    const { $set, $unset } = leaving(pending);
    const isHeld = await this.lanes.update(held(lane), {
      ...change,
      $set: { ...change.$set, ...$set, dueAt: leaseUntil },
      $unset: { ...FAILING, ...$unset },
    });
    const { outcome = lane.outcome } = change.$set;
    return isHeld
      ? {
          ...lane,
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
    lane: ClaimedLane,
    reason: GivenUpReason,
    { at, dueAt, tried }: { at: Date; dueAt: Date; tried?: Tried },
  ): Promise<boolean> {
    return this.letGo(lane, this.takingOff(lane, { count: lane.pending.length, at, tried, reason }), { at, dueAt });
  }

  /**
   * Ends the lane for good, with whatever came onto it meanwhile: nothing is sent here any more, unless it is replayed. Answers how many
   * callbacks that gave up; 0: the lease was lost.
   */
  async stop(claimed: ClaimedLane, tried: Tried, at: Date): Promise<number> {
    let lane: ClaimedLane | null = claimed;
    while (lane) {
      const { $set, ...change } = this.takingOff(lane, {
        count: lane.pending.length,
        at,
        tried,
        reason: 'gone',
        settles: true,
      });
      const gone = { ...change, $set: { ...$set, goneAt: lane.goneAt ?? at }, $unset: IDLE };
      if (await this.lanes.update(isAllOf(lane), gone)) return lane.pending.length;
      lane = (await this.lanes.documents.findOne(held(lane))) as ClaimedLane | null;
    }
    return 0;
  }

  /** Notes a try that failed, and lets go of the lane until the next. False: the lease was lost. */
  putOff(
    lane: ClaimedLane,
    tried: Tried & { readonly nextAt: Date },
    failing: Pick<Lane, 'tries' | 'failingSince' | 'postponed'>,
  ): Promise<boolean> {
    return this.note(lane, tried, {
      $set: { ...failing, dueAt: tried.nextAt },
      $unset: { token: 1, unservedSince: 1, ...(!failing.postponed && { postponed: 1 }) },
    });
  }

  /** Lets go of a lane whose version is not served, until it is looked at again: that it was not sent is told once, for it may stay so for long. False: the lease was lost. */
  putAside(lane: ClaimedLane, tried: Tried, dueAt: Date): Promise<boolean> {
    if (lane.unservedSince) return this.giveBack(lane, dueAt);
    return this.note(lane, tried, { $set: { unservedSince: tried.at, dueAt }, $unset: { token: 1 } });
  }

  /** Holds the lane until then. False: the lease was lost. */
  renew(lane: ClaimedLane, leaseUntil: Date): Promise<boolean> {
    return this.lanes.update(held(lane), { $set: { dueAt: leaseUntil } });
  }

  /** Lets go of the lane as it is; `host`: it has to wait for that. False: the lease was lost. */
  giveBack(lane: ClaimedLane, dueAt: Date, host = lane.host): Promise<boolean> {
    const { $set, $unset } = leaving(lane.pending);
    return this.lanes.update(held(lane), {
      $set: { ...$set, dueAt, ...(host !== undefined && { host }) },
      $unset: { ...$unset, token: 1 },
    });
  }

  /** What was postponed for the host of this lane, which can be reached again, comes at `dueAt`, where the schedule says later. */
  async recall({ ws }: Pick<Lane, 'ws'>, host: string, dueAt: Date): Promise<void> {
    await this.lanes.documents.updateMany(
      { ws, host, postponed: true, dueAt: { $gt: dueAt }, token: { $exists: false } },
      { $set: { dueAt }, $unset: { postponed: 1 } },
    );
  }

  private note(
    lane: ClaimedLane,
    tried: Tried,
    { $set, $unset }: Pick<LaneChange, '$set' | '$unset'>,
  ): Promise<boolean> {
    const { push, set, min } = this.lanes.outbox(attempted(lane, tried), tried.at);
    const left = leaving(lane.pending);
    return this.lanes.update(held(lane), {
      $push: push,
      $min: min,
      $set: { ...set, ...counted(lane, tried), ...left.$set, ...$set },
      $unset: { ...left.$unset, ...$unset },
    });
  }

  /** Takes the first `count` callbacks off, tells of it, and where the final status is among them that the lane is settled. */
  private takingOff(lane: ClaimedLane, { count, at, tried, reason, settles }: TakingOff): TakenOff {
    const taken = lane.pending.slice(0, count);
    const givenUp = reason ? taken.map((callback) => callbackGivenUp(lane, callback, { reason, at })) : [];
    const outcome = !lane.outcome && (settles || taken.some(isFinal)) ? (reason ?? 'delivered') : undefined;
    const { push, set, min } = this.lanes.outbox(
      [...attempted(lane, tried), ...givenUp, ...(outcome ? [laneSettled(lane, outcome, at)] : [])],
      at,
    );
    return {
      $pull: { pending: { v: { $in: taken.map(({ v }) => v) } } },
      $push: { ...push, past: { $each: taken.flatMap((callback) => pastOf(callback, reason, at)) } },
      $min: min,
      $set: { ...set, ...counted(lane, tried), ...(outcome && { outcome }) },
    };
  }

  /**
   * Where more waits than was claimed the lane is due at `dueAt`, else it is idle. Which of the two is decided in the filter: while the lease
   * is held callbacks are only added, and once more is there, it stays. False: the lease was lost, and another sender may have the lane.
   */
  private async letGo(lane: ClaimedLane, change: TakenOff, following: { at: Date; dueAt: Date }): Promise<boolean> {
    return (await this.lanes.update(isAllOf(lane), { ...change, $unset: IDLE })) || this.goOn(lane, change, following);
  }

  /** Writes many last callbacks of their lanes off at once; answers which lanes are still held, because more came onto them. */
  private async finishAll(finished: readonly Finished[]): Promise<boolean[]> {
    const { documents } = this.lanes;
    const { matchedCount } = await documents.bulkWrite(
      finished.map(({ lane, change }) => ({
        updateOne: { filter: isAllOf(lane), update: { ...change, $unset: IDLE } },
      })),
      { ordered: false },
    );
    if (matchedCount === finished.length) return finished.map(() => false);
    const each = (field: '_id' | 'ws' | 'token') => ({ $in: [...new Set(finished.map(({ lane }) => lane[field]))] });
    const stillHeld = await documents
      .find({ _id: each('_id'), ws: each('ws'), token: each('token') }, { projection: { token: 1 } })
      .toArray();
    const tokens = new Map(stillHeld.map(({ _id, token }) => [_id, token]));
    return finished.map(({ lane }) => tokens.get(lane._id) === lane.token);
  }

  private async goOn(lane: ClaimedLane, change: TakenOff, { at, dueAt }: { at: Date; dueAt: Date }): Promise<boolean> {
    // Which of it came meanwhile is not known here: it came since the claim.
    const waiting = { ...change, $set: { ...change.$set, dueAt, undeliveredSince: at }, $unset: FREE };
    const after = await this.lanes.documents.findOneAndUpdate(
      { ...held(lane), [following(lane)]: { $exists: true } },
      waiting,
      { returnDocument: 'after', projection: { 'pending.replay': 1, 'pending.at': 1 } },
    );
    // What is replayed does not wait for the tick.
    if (after?.pending.some(({ replay }) => replay !== undefined)) {
      const { $set, $unset } = leaving(after.pending);
      await this.lanes.update(
        { _id: lane._id, ws: lane.ws, dueAt, token: { $exists: false } },
        { $set: { ...$set, dueAt: at }, $unset },
      );
    }
    return after !== null;
  }
}

type TakenOff = LaneChange & { readonly $set: Pick<Lane, 'outcome'> };

/** The last callback of a lane, taken off. */
interface Finished {
  readonly lane: ClaimedLane;
  readonly change: TakenOff;
}

interface TakingOff {
  readonly count: number;
  readonly at: Date;
  readonly tried: Tried | undefined;
  readonly reason?: GivenUpReason;
  readonly settles?: boolean;
}

const FAILING = { tries: 1, failingSince: 1, postponed: 1, unservedSince: 1 } as const;
const FREE = { ...FAILING, token: 1 } as const;
const IDLE = { ...FREE, dueAt: 1, undeliveredSince: 1 } as const;

const held = ({ _id, ws, token }: ClaimedLane) => ({ _id, ws, token });
/** Where what came behind the claimed callbacks would stand. */
const following = ({ pending }: ClaimedLane) => `pending.${pending.length}`;
const isAllOf = (lane: ClaimedLane) => ({ ...held(lane), [following(lane)]: { $exists: false } });

const attempted = (lane: ClaimedLane, tried: Tried | undefined): DeliveryEvent[] =>
  tried && lane.pending[0] ? [callbackAttempted(lane, lane.pending[0], tried)] : [];

const counted = (lane: ClaimedLane, tried: Tried | undefined) =>
  tried && lane.pending[0] ? { [`attempts.${lane.pending[0].v}`]: tried.attempt } : {};

const pastOf = (
  { replay, ...change }: PendingCallback,
  reason: GivenUpReason | undefined,
  endedAt: Date,
): PastCallback[] => (replay === undefined ? [{ ...change, ...(reason && { reason }), endedAt }] : []);
