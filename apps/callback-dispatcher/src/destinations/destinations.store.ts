import { requestKey, type DeliveryEvent, type ReplayCallback } from '@opendsr-service/contracts';
import {
  awaitCurrentReads,
  DocumentLoader,
  duplicateKey,
  idPrefixRange,
  type UpdateOutcome,
} from '@opendsr-service/storage';
import type { Collection } from 'mongoose';
import { silentLogger, type Logger } from '@opendsr-service/service';
import type { DeliveryCounts } from './delivery-counts';
import {
  MAX_REPLAYS_REMEMBERED,
  type Destination,
  type PastCallback,
  type PendingCallback,
  type StatusChange,
} from './destination';
import { callbackGivenUp, callbackQueued, deliveryId } from './destination-events';
import type { PublishDeliveries } from './publish-deliveries';
import type { DestinationsCollection } from './destinations-collection.store';
import { changeOf } from './status-changes';
import { undeliveredChange } from './undelivered';

/** Only the claim holder can change a destination between its read and its write, once for each pending callback. */
const ROUNDS = 20;

interface Appended {
  readonly v: number;
  readonly callback?: StatusChange;
  readonly extended?: Destination['extended'];
  readonly now: Date;
  readonly dueAt: (destination: string) => Date;
}

type Seen = Pick<
  Destination,
  '_id' | 'ws' | 'srid' | 'destination' | 'destinationCount' | 'v' | 'dueAt' | 'token' | 'goneAt'
>;

/**
 * Queues the callbacks of request events. That a callback is queued is published before the write that queues it: after a crash
 * between the two the request event comes again. So the write needs no outbox, and no attempt is published earlier.
 */
export class DestinationsStore {
  private readonly documents: Collection<Destination>;
  private readonly known: DocumentLoader<Destination>;

  constructor(
    private readonly destinations: DestinationsCollection,
    private readonly publish: PublishDeliveries,
    private readonly counts: Pick<DeliveryCounts, 'givenUp'>,
    private readonly log: Pick<Logger, 'info'> = silentLogger,
  ) {
    this.documents = destinations.documents;
    this.known = new DocumentLoader(this.documents);
  }

  async open(destinations: readonly Destination[], now: Date): Promise<void> {
    await Promise.all(destinations.map((destination) => this.openOne(destination, now)));
  }

  /** A callback under way or waiting for a retry keeps its time. `gap`: the preceding event is missing. */
  async append(of: Pick<Destination, 'ws' | 'srid'>, appended: Appended): Promise<'done' | 'gap'> {
    const { v } = appended;
    let unknown: readonly Seen[] = [];
    const published = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const found = await (round === 0 ? this.allDestinationsOf(of) : this.destinationsOf(of));
      const behind = found.filter((destination) => destination.v < v);
      for (const { _id } of unknown)
        if (!behind.some((one) => one._id === _id)) this.logAppended({ ...of, _id }, appended);
      // The first read may be stale after an election; a write without a match makes the next read current.
      if (round > 0 && behind.some((destination) => destination.v < v - 1)) return 'gap';
      await this.publishQueued(behind, appended, published);
      const outcomes = await Promise.all(behind.map((seen) => this.appendOne(seen, appended)));
      if (outcomes.every((outcome) => outcome === 'applied')) return 'done';
      unknown = behind.filter((_, index) => outcomes[index] === 'unknown');
    }
    throw new Error('the destinations of a request changed at each try to append to them');
  }

  /** Due at once unless claimed. False: the callback is unknown or pending, or the command was handled before. */
  async replay({ id, ws, srid, destination, delivery, version: v, at }: ReplayCallback, now: Date): Promise<boolean> {
    const _id = `${requestKey(ws, srid)}|${destination}`;
    const change = deliveryId({ _id }, v) === delivery ? await this.pastCallback({ _id, ws }, v) : undefined;
    if (!change) return false;
    const callback = { ...changeOf(change), replay: id };
    const { push, set, min } = this.destinations.outbox(
      [callbackQueued({ _id, ws, srid, destination }, callback, { at, dueAt: now })],
      now,
    );
    const isNew = { _id, ws, replayed: { $ne: id }, 'pending.v': { $ne: v } };
    const pushed = {
      $push: { ...push, pending: callback, replayed: { $each: [id], $slice: -MAX_REPLAYS_REMEMBERED } },
      $min: min,
    };
    const free = () =>
      this.destinations.update({ ...isNew, token: { $exists: false } }, { ...pushed, $set: { ...set, dueAt: now } });
    const held = () => this.destinations.update({ ...isNew, token: { $exists: true } }, { ...pushed, $set: set });
    // A claim may end, or begin, between two of these writes.
    for (let round = 0; !((await free()) || (await held())); round += 1) {
      if (!(await this.documents.findOne(isNew, { projection: { _id: 1 } }))) return false;
      if (round === ROUNDS) throw new Error('a destination was claimed or released at each try to queue a replay');
    }
    this.destinations.due.due();
    this.destinations.written.due();
    this.logChange({ _id, ws, srid }, change, 'A callback was queued once more');
    return true;
  }

  private async openOne(destination: Destination, now: Date): Promise<void> {
    if (await this.known.load(destination._id, destination.ws)) return;
    await this.publish(
      destination.pending.map((callback) =>
        callbackQueued(destination, callback, { at: callback.at, dueAt: destination.dueAt ?? now }),
      ),
    );
    try {
      await this.destinations.writes.insert({ ...destination, ...undeliveredChange(destination.pending).$set });
    } catch (error) {
      if (!duplicateKey(error)) throw error;
      return;
    }
    if (destination.dueAt) this.signal(destination.dueAt, now);
    for (const callback of destination.pending) this.logChange(destination, callback, 'A callback was queued');
  }

  private logAppended(destination: Pick<Destination, '_id' | 'ws' | 'srid'>, { callback }: Appended): void {
    if (callback) this.logChange(destination, callback, 'A callback was queued');
  }

  private logChange(
    { _id, ws, srid }: Pick<Destination, '_id' | 'ws' | 'srid'>,
    { v, status }: StatusChange,
    message: string,
  ): void {
    this.log.info({ ws, srid, version: v, requestStatus: status, delivery: deliveryId({ _id }, v) }, message);
  }

  /** Reads again where it is missed: its replay is asked for only once. */
  private async pastCallback(of: Pick<Destination, '_id' | 'ws'>, v: number): Promise<PastCallback | undefined> {
    const find = async () => {
      const known = await this.documents.findOne(of, { projection: { past: 1 } });
      return known?.past?.find((past) => past.v === v);
    };
    const found = await find();
    if (found) return found;
    await awaitCurrentReads(this.documents, of);
    return find();
  }

  /** Reads again where some are missed. Where none is found the request may have no callbacks, but none must be lost. */
  private async allDestinationsOf(of: Pick<Destination, 'ws' | 'srid'>): Promise<Seen[]> {
    const found = await this.destinationsOf(of);
    if (found.length >= (found[0]?.destinationCount ?? 1)) return found;
    await awaitCurrentReads(this.documents, { _id: requestKey(of.ws, of.srid), ws: of.ws });
    return this.destinationsOf(of);
  }

  private destinationsOf({ ws, srid }: Pick<Destination, 'ws' | 'srid'>): Promise<Seen[]> {
    return this.documents
      .find(
        { _id: idPrefixRange(requestKey(ws, srid)), ws },
        { projection: { ws: 1, srid: 1, destination: 1, destinationCount: 1, v: 1, dueAt: 1, token: 1, goneAt: 1 } },
      )
      .toArray();
  }

  /** Only for those that the next write queues it on. */
  private async publishQueued(
    behind: readonly Seen[],
    { v, callback, dueAt }: Appended,
    published: Set<string>,
  ): Promise<void> {
    if (!callback) return;
    const next = behind.filter((seen) => seen.v === v - 1 && !seen.goneAt && !published.has(seen._id));
    if (next.length === 0) return;
    await this.publish(next.map((seen) => this.queuedEvent(seen, callback, dueAt(seen._id))));
    for (const { _id } of next) published.add(_id);
  }

  /** Sets `dueAt` only where none is set: two filters, the likely one first. */
  private async appendOne(destination: Seen, appended: Appended): Promise<UpdateOutcome> {
    const { v, callback, extended } = appended;
    const { _id, ws, goneAt, dueAt: seen } = destination;
    const { writes } = this.destinations;
    const next = { _id, ws, v: v - 1 };
    if (!callback) return writes.update(next, { $set: { v, ...(extended && { extended }) } });
    if (goneAt) return (await this.appendToGone(destination, callback, appended)) ? 'applied' : 'unmatched';
    const dueAt = appended.dueAt(_id);
    const push = { $push: { pending: callback }, $min: { undeliveredSince: new Date(callback.at) } };
    const idle = () =>
      writes.update(
        { ...next, dueAt: { $exists: false }, goneAt: { $exists: false } },
        { ...push, $set: { v, dueAt } },
      );
    const busy = () =>
      writes.update({ ...next, dueAt: { $exists: true }, goneAt: { $exists: false } }, { ...push, $set: { v } });
    const [first, second] = seen ? [busy, idle] : [idle, busy];
    let outcome = await first();
    if (outcome === 'unmatched') outcome = await second();
    if (outcome !== 'unmatched') this.signal(dueAt, appended.now);
    if (outcome === 'applied') this.logAppended(destination, appended);
    return outcome;
  }

  private signal(dueAt: Date, now: Date): void {
    this.destinations.due.due(dueAt.getTime() - now.getTime());
  }

  /** A new callback waits with those that wait for a retry. */
  private queuedEvent(destination: Seen, callback: PendingCallback, dueAt: Date): DeliveryEvent {
    const waits = destination.dueAt && !destination.token && destination.dueAt > dueAt ? destination.dueAt : dueAt;
    return callbackQueued(destination, callback, { at: callback.at, dueAt: waits });
  }

  /** Nothing is sent to a receiver that is gone, but the callback can be replayed. */
  private async appendToGone(destination: Seen, callback: StatusChange, { v, now, dueAt }: Appended): Promise<boolean> {
    const { _id, ws } = destination;
    const events = [
      callbackQueued(destination, callback, { at: callback.at, dueAt: dueAt(_id) }),
      callbackGivenUp(destination, callback, { reason: 'gone', at: now }),
    ];
    const { push, set, min } = this.destinations.outbox(events, now);
    const change = {
      $push: { ...push, past: { ...callback, reason: 'gone', endedAt: now } as const },
      $set: { v, ...set },
      $min: min,
    };
    const isAppended = await this.destinations.update({ _id, ws, v: v - 1, goneAt: { $exists: true } }, change);
    if (!isAppended) return false;
    this.destinations.written.due();
    this.counts.givenUp('gone', 1);
    this.logChange(destination, callback, 'A callback was given up, for its receiver is gone');
    return true;
  }
}
