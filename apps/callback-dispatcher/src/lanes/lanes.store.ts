import { requestKey, type LaneSettled, type RequestStatus } from '@opendsr-service/contracts';
import { DueTimes, duplicateKey } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection } from 'mongoose';
import type { ClaimedLane, GivenUpReason, Lane, PendingCallback, SettledLane } from './lane';

/** Between reading a lane and writing it only its sender can step in, once for each callback that waits there. */
const ROUNDS = 20;

const time = { type: Date, required: false } as const;
/** Only its indexes are used: each verb is one operation on the collection itself. Lanes of a request are found by their common start. */
const laneSchema = new Schema<Lane>({ _id: String, ws: String, dueAt: time, tellAt: time }, { strict: false, versionKey: false, autoIndex: false });
laneSchema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
laneSchema.index({ tellAt: 1 }, { partialFilterExpression: { tellAt: { $exists: true } } });

/** The lanes (D7). Every filter names the workspace; whoever finishes names the token of its claim. Times come from the caller. */
export class LanesStore {
  private readonly lanes: Collection<Lane>;
  private readonly due: DueTimes<Lane>;

  constructor(connection: Connection) {
    const model = connection.model<Lane>('Lane', laneSchema, 'lanes');
    this.lanes = model.collection as unknown as Collection<Lane>;
    this.due = new DueTimes(model, { due: 'dueAt', filter: ['ws'] });
  }

  /** Gives back the claims of a process that died, for one that is alone with the database. */
  releaseClaims(now: Date): Promise<void> {
    return this.due.releaseAll(now);
  }

  /** Adds the lanes of a request that are not there yet. */
  async open(lanes: readonly Lane[]): Promise<void> {
    await Promise.all(lanes.map((lane) => this.openOne(lane)));
  }

  /**
   * Applies event `v` to all lanes of a request, with the callback that it asks for. What is being sent or waits for its time
   * keeps it. `gap`: the event before is missing. A request without lanes has nothing to apply.
   */
  async append(of: Pick<Lane, 'ws' | 'srid'>, { v, callback }: { v: number; callback?: PendingCallback }, dueAt: Date): Promise<'done' | 'gap'> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const behind = (await this.lanesOf(of)).filter((lane) => lane.v < v);
      // What was read may be old, right after an election; a write that matched nothing makes the next reading current.
      if (round > 0 && behind.some((lane) => lane.v < v - 1)) return 'gap';
      const applied = await Promise.all(behind.map((seen) => this.appendOne(seen, { v, callback }, dueAt)));
      if (applied.every(Boolean)) return 'done';
    }
    throw new Error('the lanes of a request changed at each try to append to them');
  }

  /** Takes lanes that are due, the longest overdue first, for `leaseMs`. */
  async claimDue(now: Date, limit: number, leaseMs: number): Promise<ClaimedLane[]> {
    const claims = await this.due.claim(now, { limit, leaseMs });
    return claims.map(({ document }) => document as ClaimedLane);
  }

  /** Takes a delivered callback off, the first; see `takeOff`. */
  async delivered(lane: ClaimedLane, at: Date, nextDueAt: Date): Promise<boolean> {
    return this.takeOff(lane, 1, nextDueAt, settling(lane.pending.slice(0, 1), 'delivered', at));
  }

  /** Takes off all callbacks that were claimed, and keeps on record that they were not delivered. */
  async giveUp(lane: ClaimedLane, reason: GivenUpReason, at: Date, nextDueAt: Date): Promise<boolean> {
    return this.takeOff(lane, lane.pending.length, nextDueAt, { ...settling(lane.pending, reason, at), ...record(lane, reason, at) });
  }

  /** Ends the lane for good, with whatever came onto it meanwhile: nothing is sent here any more. */
  async stop(lane: ClaimedLane, at: Date): Promise<boolean> {
    return this.update(held(lane), { $set: { pending: [], goneAt: at, ...settled('gone', at) }, ...record(lane, 'gone', at), $unset: IDLE });
  }

  /** Lets go of the lane until `dueAt`. False: the lease was lost. */
  async putOff(lane: ClaimedLane, dueAt: Date, failing: Pick<Lane, 'tries' | 'failingSince'> = {}): Promise<boolean> {
    return this.update(held(lane), { $set: { dueAt, ...failing }, $unset: { token: 1 } });
  }

  /** Settled lanes that the log has not heard of, the earliest first. */
  async findSettled(now: Date, limit: number): Promise<SettledLane[]> {
    return (await this.lanes.find({ tellAt: { $lte: now } }, { sort: { tellAt: 1 }, limit }).toArray()) as SettledLane[];
  }

  /** The log has heard of it. */
  async told({ _id, ws, tellAt }: SettledLane): Promise<void> {
    await this.update({ _id, ws, tellAt }, { $unset: { tellAt: 1 } });
  }

  /**
   * Takes the first `count` callbacks off. Where more waits the lane is due at `nextDueAt`, else it is idle. Which of the two
   * is decided in the filter. False: the lease was lost, and another sender may have the lane.
   */
  private async takeOff(lane: ClaimedLane, count: number, nextDueAt: Date, more: UpdateFilter): Promise<boolean> {
    const change = { $pull: { pending: { v: { $lte: lane.pending[count - 1]?.v } } }, ...more };
    const following = `pending.${count}`;
    // While the lease is held callbacks are only added: once more is there, it stays.
    const isIdle =
      lane.pending.length === count && (await this.update({ ...held(lane), [following]: { $exists: false } }, { ...change, $unset: IDLE }));
    return isIdle || this.update({ ...held(lane), [following]: { $exists: true } }, { ...change, $set: { ...more.$set, dueAt: nextDueAt }, $unset: FAILING });
  }

  private async openOne(lane: Lane): Promise<void> {
    try {
      await this.lanes.insertOne(lane);
    } catch (error) {
      if (!duplicateKey(error)) throw error;
    }
  }

  /** Ids are text, so those that begin alike stand side by side. */
  private lanesOf({ ws, srid }: Pick<Lane, 'ws' | 'srid'>): Promise<Lane[]> {
    const key = requestKey(ws, srid);
    return this.lanes.find({ _id: { $gte: `${key}|`, $lt: `${key}}` }, ws }, { projection: { ws: 1, v: 1, dueAt: 1, goneAt: 1 } }).toArray();
  }

  /** Sets the time only where there is none. The two cases are two filters, the one that was seen first. */
  private async appendOne({ _id, ws, goneAt, dueAt: seen }: Lane, { v, callback }: { v: number; callback?: PendingCallback }, dueAt: Date): Promise<boolean> {
    const next = { _id, ws, v: v - 1 };
    if (!callback || goneAt) return this.update({ ...next, ...(callback && { goneAt: { $exists: true } }) }, { $set: { v } });
    const push = { $push: { pending: callback } };
    const idle = () => this.update({ ...next, dueAt: { $exists: false }, goneAt: { $exists: false } }, { ...push, $set: { v, dueAt } });
    const busy = () => this.update({ ...next, dueAt: { $exists: true } }, { ...push, $set: { v } });
    return seen ? (await busy()) || idle() : (await idle()) || busy();
  }

  private async update(filter: Filter, change: UpdateFilter): Promise<boolean> {
    const { matchedCount } = await this.lanes.updateOne(filter, change);
    return matchedCount === 1;
  }
}

type Filter = Parameters<Collection<Lane>['updateOne']>[0];
type UpdateFilter = Exclude<Parameters<Collection<Lane>['updateOne']>[1], readonly unknown[]>;

const FAILING = { tries: 1, failingSince: 1 } as const;
const IDLE = { ...FAILING, dueAt: 1, token: 1 } as const;

const held = ({ _id, ws, token }: ClaimedLane) => ({ _id, ws, token });

const FINAL: readonly RequestStatus[] = ['completed', 'cancelled'];

const settled = (outcome: LaneSettled['outcome'], tellAt: Date) => ({ outcome, tellAt });

/** After the callback of a final status there is none: the write that takes it off says so, and a crash loses neither. */
const settling = (taken: readonly PendingCallback[], outcome: LaneSettled['outcome'], at: Date): UpdateFilter =>
  taken.some(({ status }) => FINAL.includes(status)) ? { $set: settled(outcome, at) } : {};

const record = (lane: ClaimedLane, reason: GivenUpReason, givenUpAt: Date) => ({
  $push: { givenUp: { $each: lane.pending.map((callback) => ({ ...callback, reason, givenUpAt })) } },
});
