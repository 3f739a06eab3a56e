import { requestKey, type ParticipantExtension } from '@opendsr-service/contracts';
import { duplicateKey } from '@opendsr-service/storage';
import { randomInt } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';
import { HOLDS_KEY, openLanes } from '../keys/key-life';
import { cancelRequest, completeRequest, startRequest, submitRequest, type NewRequest } from './commands';
import { freeSlot } from './group-slots';
import type { OutboxEntry, RequestDocument } from './request.document';
import { requestModel } from './request-model.store';

export type Refusal = 'exists' | 'same-in-progress' | 'group-full' | 'busy';

/** An event, as far as it answers commands. */
export interface Answered {
  readonly ws: string;
  readonly srid: string;
  readonly v: number;
  readonly commandSeq: number;
  readonly extensions?: readonly ParticipantExtension[];
  /** On the last event of a request: when its key is due where nothing holds it any more. */
  readonly keyDueAt?: Date;
}

const ADMISSION_TRIES = 3;
/** Creates of one group that meet on a slot try another; each round at least one of them gets its place. */
const SLOT_TRIES = 64;
const CHANCES = 1_000_000;

/**
 * The admissions. Every decision is one write of one document, its filter names the workspace, and it carries its command
 * (D1). Times come from the caller.
 */
export class RequestsStore {
  private readonly requests: Collection<RequestDocument>;

  /** `resendAfterMs`: how long a command may stay unanswered before the relay sends it again. */
  constructor(
    connection: Connection,
    private readonly resendAfterMs: number,
  ) {
    this.requests = requestModel(connection).collection as unknown as Collection<RequestDocument>;
  }

  /** Admits a request as pending, or says why not. The insert decides; holders are read only to word the refusal. */
  async admit(request: NewRequest): Promise<RequestDocument | Refusal> {
    let tries = ADMISSION_TRIES;
    for (let round = 0; tries > 0 && round < SLOT_TRIES; round += 1) {
      const outcome = await this.tryToAdmit(request);
      if (outcome === 'slot-taken') continue;
      if (outcome !== 'holder-gone') return outcome;
      tries -= 1;
    }
    return 'busy';
  }

  /** The request of this workspace, whatever its status. */
  async find(ws: string, srid: string): Promise<RequestDocument | null> {
    return this.requests.findOne({ _id: requestKey(ws, srid), ws });
  }

  /** The requests of a group in the order of their places, at most 150. */
  async findGroup(ws: string, groupId: string): Promise<RequestDocument[]> {
    return this.requests.find({ ws, groupId, slot: { $exists: true } }, { sort: { slot: 1 } }).toArray();
  }

  /** Cancels a pending request; null: it is not pending, or not there. */
  async cancel(ws: string, srid: string, at: Date): Promise<RequestDocument | null> {
    return this.requests.findOneAndUpdate(
      { _id: requestKey(ws, srid), ws, status: 'pending' },
      { $set: { status: 'cancelled', seq: 2, cancelledAt: at, ...this.resend(at) }, $push: { outbox: cancelRequest({ ws, srid }, at) }, $unset: { startAt: 1, fingerprint: 1 } },
      { returnDocument: 'after' },
    );
  }

  /** Pending requests whose waiting time is over, the longest overdue first. */
  async findDue(now: Date, limit: number): Promise<RequestDocument[]> {
    return this.requests.find({ startAt: { $lte: now } }, { sort: { startAt: 1 }, limit }).toArray();
  }

  /** Starts a request that is still pending; null: a cancel or another gateway was first, or its key is gone. */
  async start(due: RequestDocument, now: Date): Promise<RequestDocument | null> {
    const { ws, srid, type, kid, sealed } = due;
    if (!sealed) return null;
    return this.requests.findOneAndUpdate(
      { _id: due._id, ws, status: 'pending', startAt: { $lte: now } },
      { $set: { status: 'in_progress', seq: 2, startedAt: now, ...this.resend(now) }, $push: { outbox: startRequest({ ws, srid, type, kid, sealed }, now) }, $unset: { startAt: 1 } },
      { returnDocument: 'after' },
    );
  }

  /** Completes a request in progress on its event of version `v`; the commands before are answered by then. */
  async complete(of: { ws: string; srid: string; v: number }, now: Date): Promise<RequestDocument | null> {
    return this.requests.findOneAndUpdate(
      { _id: requestKey(of.ws, of.srid), ws: of.ws, status: 'in_progress', v: of.v - 1 },
      { $set: { status: 'completed', v: of.v, seq: 3, completedAt: now, outbox: [completeRequest(of, now)], ...this.resend(now) }, $unset: { fingerprint: 1 } },
      { returnDocument: 'after' },
    );
  }

  /** Notes that the event of version `v` answers all commands up to `commandSeq`. Says whether it was the next one. */
  async acknowledge(of: Answered): Promise<boolean> {
    const isNext = { _id: requestKey(of.ws, of.srid), ws: of.ws, v: of.v - 1 };
    const seen = { v: of.v, ...(of.extensions && { extensions: of.extensions }) };
    if (await this.empty({ ...isNext, 'outbox.seq': { $not: { $gt: of.commandSeq } } }, seen, of.keyDueAt)) return true;
    const shortened = await this.requests.updateOne(
      { ...isNext, 'outbox.seq': { $gt: of.commandSeq } },
      { $set: seen, $pull: { outbox: { seq: { $lte: of.commandSeq } } } },
    );
    return shortened.matchedCount === 1;
  }

  /** The version of the last event applied; undefined: no such request. */
  async versionOf(ws: string, srid: string): Promise<number | undefined> {
    const found = await this.requests.findOne({ _id: requestKey(ws, srid), ws }, { projection: { v: 1 } });
    return found?.v;
  }

  /** Requests with unanswered commands whose time to send them again has come, the oldest first. */
  async findUnanswered(now: Date, limit: number): Promise<RequestDocument[]> {
    return this.requests.find({ outboxAt: { $lte: now } }, { sort: { outboxAt: 1 }, limit }).toArray();
  }

  /** Puts off the next resending; false: another relay has it. */
  async putOff(request: RequestDocument, until: Date): Promise<boolean> {
    const { _id, ws, outboxAt } = request;
    const result = await this.requests.updateOne({ _id, ws, outboxAt }, { $set: { outboxAt: until }, $inc: { tries: 1 } });
    return result.matchedCount === 1;
  }

  /**
   * Empties the outbox. The last event of a request also sets when its key is due, unless something holds the key. What holds it
   * only ever goes away, so whatever the first filter leaves out is met by the second.
   */
  private async empty(answered: object, seen: object, keyDueAt?: Date): Promise<boolean> {
    const update = { $set: { ...seen, outbox: [] }, $unset: { outboxAt: 1, tries: 1 } } as const;
    const emptied = await this.requests.updateOne({ ...answered, ...(keyDueAt && { $or: [...HOLDS_KEY] }) }, update);
    if (emptied.matchedCount === 1 || !keyDueAt) return emptied.matchedCount === 1;
    const ended = await this.requests.updateOne({ ...answered, $nor: [...HOLDS_KEY] }, { ...update, $set: { ...update.$set, keyDueAt } });
    return ended.matchedCount === 1;
  }

  private async tryToAdmit(request: NewRequest): Promise<RequestDocument | Refusal | 'slot-taken' | 'holder-gone'> {
    const slot = request.groupId === null ? undefined : await this.freeSlotOf(request.ws, request.groupId);
    if (request.groupId !== null && slot === undefined) return (await this.holderOf(request)) ?? 'group-full';
    const document = this.admission({ ...request, ...(slot !== undefined && { slot }) });
    const duplicate = await this.insert(document);
    if (!duplicate) return document;
    return (await this.holderOf(request)) ?? (duplicate.includes('slot') ? 'slot-taken' : 'holder-gone');
  }

  private async insert(document: RequestDocument): Promise<string[] | undefined> {
    try {
      await this.requests.insertOne(document);
      return undefined;
    } catch (error) {
      const duplicate = duplicateKey(error);
      if (!duplicate) throw error;
      return Object.keys(duplicate.keyPattern);
    }
  }

  private async holderOf({ _id, ws, fingerprint }: NewRequest): Promise<Refusal | undefined> {
    if (await this.requests.findOne({ _id, ws }, { projection: { _id: 1 } })) return 'exists';
    if (await this.requests.findOne({ ws, fingerprint }, { projection: { _id: 1 } })) return 'same-in-progress';
    return undefined;
  }

  private async freeSlotOf(ws: string, groupId: string): Promise<number | undefined> {
    const taken = await this.requests.find({ ws, groupId, slot: { $exists: true } }, { projection: { _id: 0, slot: 1 } }).toArray();
    return freeSlot(new Set(taken.map(({ slot }) => slot ?? -1)), randomInt(CHANCES) / CHANCES);
  }

  private admission(request: NewRequest): RequestDocument {
    const outbox: OutboxEntry[] = [submitRequest(request)];
    return { ...request, lanesOpen: openLanes(request), status: 'pending', seq: 1, v: 0, outbox, ...this.resend(request.receivedAt) };
  }

  private resend(at: Date) {
    return { outboxAt: new Date(at.getTime() + this.resendAfterMs), tries: 0 };
  }
}
