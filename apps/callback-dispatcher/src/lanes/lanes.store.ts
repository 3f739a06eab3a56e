import { requestKey, type DeliveryEvent, type ReplayCallback } from '@opendsr-service/contracts';
import { duplicateKey, idsBelow } from '@opendsr-service/storage';
import type { Collection } from 'mongoose';
import { quietLog, type Log } from '@opendsr-service/runtime';
import type { DeliveryCounts } from './delivery-counts';
import { REPLAYS_KNOWN, type Lane, type PendingCallback, type StatusChange } from './lane';
import { callbackGivenUp, callbackQueued, deliveryId } from './lane-events';
import type { LanesCollection } from './lanes-collection.store';
import { changeOf } from './status-changes';
import { leaving } from './undelivered';

/** Between reading a lane and writing it only its sender can step in, once for each callback that waits there. */
const ROUNDS = 20;

/** What an event adds to the lanes of its request. */
export interface Appended {
  readonly v: number;
  readonly callback?: StatusChange;
  readonly now: Date;
  /** When a lane that has nothing else to send sends it. */
  readonly dueAt: (lane: string) => Date;
}

type Seen = Pick<Lane, '_id' | 'ws' | 'srid' | 'lane' | 'v' | 'dueAt' | 'token' | 'goneAt'>;

/** What comes onto the lanes (D7): status changes in their order, and what is to be sent once more. */
export class LanesStore {
  private readonly documents: Collection<Lane>;

  constructor(
    private readonly lanes: LanesCollection,
    private readonly counts: Pick<DeliveryCounts, 'givenUp'>,
    private readonly log: Pick<Log, 'info'> = quietLog,
  ) {
    this.documents = lanes.documents;
  }

  /** Adds the lanes of a request that are not there yet, and tells of their first callbacks. */
  async open(lanes: readonly Lane[], now: Date): Promise<void> {
    await Promise.all(lanes.map((lane) => this.openOne(lane, now)));
  }

  /**
   * Applies event `v` to all lanes of a request, with the callback that it asks for. What is being sent or waits for its time
   * keeps it. `gap`: the event before is missing. A request without lanes has nothing to apply.
   */
  async append(of: Pick<Lane, 'ws' | 'srid'>, appended: Appended): Promise<'done' | 'gap'> {
    const { v } = appended;
    for (let round = 0; round < ROUNDS; round += 1) {
      const behind = (await this.lanesOf(of)).filter((lane) => lane.v < v);
      // What was read may be old, right after an election; a write that matched nothing makes the next reading current.
      if (round > 0 && behind.some((lane) => lane.v < v - 1)) return 'gap';
      const applied = await Promise.all(behind.map((seen) => this.appendOne(seen, appended)));
      if (applied.every(Boolean)) return 'done';
    }
    throw new Error('the lanes of a request changed at each try to append to them');
  }

  /**
   * Has a callback sent once more, behind what waits, at once unless the lane is being sent. False: there is no such callback, it waits
   * anyway, or the command was obeyed before.
   */
  async replay({ id, ws, srid, lane, delivery, version: v, at }: ReplayCallback, now: Date): Promise<boolean> {
    const _id = `${requestKey(ws, srid)}|${lane}`;
    const known =
      deliveryId({ _id }, v) === delivery
        ? await this.documents.findOne({ _id, ws }, { projection: { past: 1 } })
        : null;
    const change = known?.past?.find((past) => past.v === v);
    if (!change) return false;
    const callback = { ...changeOf(change), replay: id };
    const { push, set, min } = this.lanes.outbox(
      [callbackQueued({ _id, ws, srid, lane }, callback, { at, dueAt: now })],
      now,
    );
    const isNew = { _id, ws, replayed: { $ne: id }, 'pending.v': { $ne: v } };
    const pushed = {
      $push: { ...push, pending: callback, replayed: { $each: [id], $slice: -REPLAYS_KNOWN } },
      $min: min,
    };
    const free = () =>
      this.lanes.update({ ...isNew, token: { $exists: false } }, { ...pushed, $set: { ...set, dueAt: now } });
    const held = () => this.lanes.update({ ...isNew, token: { $exists: true } }, { ...pushed, $set: set });
    // Its sender may let go of it, or another take it, between one and the next.
    const isQueued = (await free()) || (await held()) || (await free());
    if (isQueued) this.tell({ _id, ws, srid }, change, 'A callback was queued once more');
    return isQueued;
  }

  private async openOne(lane: Lane, now: Date): Promise<void> {
    const events = lane.pending.map((callback) =>
      callbackQueued(lane, callback, { at: callback.at, dueAt: lane.dueAt ?? now }),
    );
    const { set, min } = this.lanes.outbox([], now);
    try {
      await this.documents.insertOne({ ...lane, ...leaving(lane.pending).$set, outbox: events, ...set, ...min });
    } catch (error) {
      if (!duplicateKey(error)) throw error;
      return;
    }
    for (const callback of lane.pending) this.tell(lane, callback, 'A callback was queued');
  }

  private tell(
    { _id, ws, srid }: Pick<Lane, '_id' | 'ws' | 'srid'>,
    { v, status }: StatusChange,
    message: string,
  ): void {
    this.log.info({ ws, srid, version: v, requestStatus: status, delivery: deliveryId({ _id }, v) }, message);
  }

  private lanesOf({ ws, srid }: Pick<Lane, 'ws' | 'srid'>): Promise<Seen[]> {
    return this.documents
      .find(
        { _id: idsBelow(requestKey(ws, srid)), ws },
        { projection: { ws: 1, srid: 1, lane: 1, v: 1, dueAt: 1, token: 1, goneAt: 1 } },
      )
      .toArray();
  }

  /** Sets the time only where there is none. The two cases are two filters, the one that was seen first. */
  private async appendOne(lane: Seen, appended: Appended): Promise<boolean> {
    const { v, callback } = appended;
    const { _id, ws, goneAt, dueAt: seen } = lane;
    const next = { _id, ws, v: v - 1 };
    if (!callback) return this.lanes.update(next, { $set: { v } });
    const dueAt = appended.dueAt(_id);
    if (goneAt) return this.appendToGone(lane, callback, appended);
    const { push: told, set, min } = this.lanes.outbox([this.queued(lane, callback, dueAt)], appended.now);
    const push = { $push: { pending: callback, ...told }, $min: { ...min, undeliveredSince: new Date(callback.at) } };
    const idle = () =>
      this.lanes.update(
        { ...next, dueAt: { $exists: false }, goneAt: { $exists: false } },
        { ...push, $set: { v, dueAt, ...set } },
      );
    const busy = () =>
      this.lanes.update(
        { ...next, dueAt: { $exists: true }, goneAt: { $exists: false } },
        { ...push, $set: { v, ...set } },
      );
    const isQueued = seen ? (await busy()) || (await idle()) : (await idle()) || (await busy());
    if (isQueued) this.tell(lane, callback, 'A callback was queued');
    return isQueued;
  }

  /** Where a lane waits to be tried again, what comes behind goes with it. */
  private queued(lane: Seen, callback: PendingCallback, dueAt: Date): DeliveryEvent {
    const waits = lane.dueAt && !lane.token && lane.dueAt > dueAt ? lane.dueAt : dueAt;
    return callbackQueued(lane, callback, { at: callback.at, dueAt: waits });
  }

  /** Nothing is sent to a receiver that is gone, but what it was not told of can be replayed. */
  private async appendToGone(lane: Seen, callback: StatusChange, { v, now, dueAt }: Appended): Promise<boolean> {
    const { _id, ws } = lane;
    const events = [
      callbackQueued(lane, callback, { at: callback.at, dueAt: dueAt(_id) }),
      callbackGivenUp(lane, callback, { reason: 'gone', at: now }),
    ];
    const { push, set, min } = this.lanes.outbox(events, now);
    const change = {
      $push: { ...push, past: { ...callback, reason: 'gone', endedAt: now } as const },
      $set: { v, ...set },
      $min: min,
    };
    const isAppended = await this.lanes.update({ _id, ws, v: v - 1, goneAt: { $exists: true } }, change);
    if (!isAppended) return false;
    this.counts.givenUp('gone', 1);
    this.tell(lane, callback, 'A callback was given up, for its receiver is gone');
    return true;
  }
}
