import {
  requestKey,
  startingExtensions,
  type ParticipantExtension,
  type StartingParticipants,
} from '@opendsr-service/contracts';
import { duplicateKey } from '@opendsr-service/storage';
import { setTimeout } from 'node:timers/promises';
import type { Collection, Connection } from 'mongoose';
import { earlier, HOLDS_KEY, keyDueFields, openDestinationsOf } from './key-due';
import { cancelRequest, completeRequest, startRequest, submitRequest, type NewRequest } from './commands';
import { GroupSlotAllocator, type SlotAttempt } from './group-slot-allocator';
import type { StatusChanges } from './status-changes';
import type { OutboxEntry, RequestDocument } from './request.document';
import { requestModel } from './request-model.store';

export type Refusal = 'exists' | 'same-in-progress' | 'group-full' | 'busy';

/** An event, as far as it answers commands. */
export interface CommandAnswer {
  readonly ws: string;
  readonly srid: string;
  readonly v: number;
  readonly commandSeq: number;
  readonly extensions?: readonly ParticipantExtension[];
  /** On the last event of a request: when its key is due where nothing holds it any more. */
  readonly keyDueAt?: Date;
}

/** Up to when commands are looked for that are to be sent again; `unrepeatedBy` is not before `by`. */
export interface ResendLimits {
  readonly by: Date;
  readonly unrepeatedBy: Date;
}

/** Whoever refused an insert may have let go by now, or not be known to a majority yet: half a second for either. */
const MAX_HOLDER_TRIES = 25;
const HOLDER_PAUSE_MS = 20;

const noRecorder: Pick<StatusChanges, 'record'> = { record: () => undefined };

/**
 * The admissions. Every decision is one write of one document, its filter names the workspace, and it carries its command
 * (D1). Times come from the caller.
 */
export class AdmissionsStore {
  private readonly requests: Collection<RequestDocument>;
  private readonly slots = new GroupSlotAllocator((ws, groupId) => this.takenSlots(ws, groupId));

  /** `resendAfterMs`: how long a command may stay unanswered before the relay sends it again. `transitions`: who is told of each status that is written. */
  constructor(
    connection: Connection,
    private readonly resendAfterMs: number,
    private readonly transitions = noRecorder,
  ) {
    this.requests = requestModel(connection).collection as unknown as Collection<RequestDocument>;
  }

  /** Admits a request as pending, or says why not. The insert decides; holders are read only to word the refusal. */
  async admit(request: NewRequest): Promise<RequestDocument | Refusal> {
    for (let tries = 0; tries < MAX_HOLDER_TRIES; tries += 1) {
      if (tries > 0) await setTimeout(HOLDER_PAUSE_MS);
      const outcome = await this.tryToAdmit(request);
      if (typeof outcome !== 'string') this.transitions.record(outcome);
      if (outcome !== 'holder-unseen') return outcome;
    }
    return 'busy';
  }

  /** The request of this workspace, whatever its status. */
  async find(ws: string, srid: string): Promise<RequestDocument | null> {
    return this.requests.findOne({ _id: requestKey(ws, srid), ws });
  }

  /** The requests of a group, at most 150, in the order in which they were received, then by their ids. */
  async findGroup(ws: string, groupId: string): Promise<RequestDocument[]> {
    const found = await this.requests.find({ ws, groupId, slot: { $exists: true } }).toArray();
    return found.sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime() || (a.srid < b.srid ? -1 : 1));
  }

  /** Cancels a pending request; null: it is not pending, or not there. */
  async cancel(ws: string, srid: string, at: Date): Promise<RequestDocument | null> {
    return this.decide(
      { _id: requestKey(ws, srid), ws, status: 'pending' },
      {
        $set: { status: 'cancelled', seq: 2, cancelledAt: at, personsAt: at, ...this.resendFields(at) },
        $min: { outboxSince: at },
        $push: { outbox: cancelRequest({ ws, srid }, at) },
        $unset: { startAt: 1, fingerprint: 1 },
      },
    );
  }

  /** Pending requests whose waiting time is over, the longest overdue first. */
  async findDue(now: Date, limit: number): Promise<RequestDocument[]> {
    return this.requests.find({ startAt: { $lte: now } }, { sort: { startAt: 1 }, limit }).toArray();
  }

  /**
   * Starts a request that is still pending, with the participants of this moment, so that its status never shows `in_progress` without
   * them; undefined: the request service finds out. Null: a cancel or another gateway was first, or its key is gone.
   */
  async start(due: RequestDocument, now: Date, participants?: StartingParticipants): Promise<RequestDocument | null> {
    const { ws, srid, type, kid, sealed } = due;
    if (!sealed) return null;
    const extensions = participants && startingExtensions(participants);
    return this.decide(
      { _id: due._id, ws, status: 'pending', startAt: { $lte: now } },
      {
        $set: {
          status: 'in_progress',
          seq: 2,
          startedAt: now,
          ...(extensions && { extensions }),
          ...this.resendFields(now),
        },
        $min: { outboxSince: now },
        $push: { outbox: startRequest({ ws, srid, type, kid, sealed, ...(participants && { participants }) }, now) },
        $unset: { startAt: 1 },
      },
    );
  }

  /** Completes a request in progress on its event of version `v`; the commands before are answered by then. */
  async complete(of: { ws: string; srid: string; v: number }, now: Date): Promise<RequestDocument | null> {
    return this.decide(
      { _id: requestKey(of.ws, of.srid), ws: of.ws, status: 'in_progress', v: of.v - 1 },
      {
        $set: {
          status: 'completed',
          v: of.v,
          seq: 3,
          completedAt: now,
          personsAt: now,
          outbox: [completeRequest(of, now)],
          outboxSince: now,
          ...this.resendFields(now),
        },
        $unset: { fingerprint: 1 },
      },
    );
  }

  /** Notes that the event of version `v` answers all commands up to `commandSeq`. Says whether it was the next one. */
  async acknowledge(of: CommandAnswer): Promise<boolean> {
    const isNext = { _id: requestKey(of.ws, of.srid), ws: of.ws, v: of.v - 1 };
    const seen = { v: of.v, ...(of.extensions && { extensions: of.extensions }) };
    if (await this.emptyOutbox({ ...isNext, 'outbox.seq': { $not: { $gt: of.commandSeq } } }, seen, of.keyDueAt))
      return true;
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

  /** Requests with unanswered commands whose time to send them again came by then, for those that were never sent again by a later time, the oldest first. */
  async findUnanswered({ by, unrepeatedBy }: ResendLimits, limit: number): Promise<RequestDocument[]> {
    return this.requests
      .find(
        { outboxAt: { $lte: unrepeatedBy }, $or: [{ outboxAt: { $lte: by } }, { tries: { $not: { $gt: 0 } } }] },
        { sort: { outboxAt: 1 }, limit },
      )
      .toArray();
  }

  /** Puts off the next resending, and notes how long the first command of those seen has waited; false: another relay has it. */
  async reschedule(request: RequestDocument, until: Date): Promise<boolean> {
    const { _id, ws, outboxAt, outbox } = request;
    const outboxSince = outbox[0] && new Date(outbox[0].at);
    const result = await this.requests.updateOne(
      { _id, ws, outboxAt },
      { $set: { outboxAt: until, ...(outboxSince && { outboxSince }) }, $inc: { tries: 1 } },
    );
    return result.matchedCount === 1;
  }

  /**
   * Empties the outbox. The last event of a request also sets when its key is due, unless something holds the key. What holds it
   * only ever goes away and what brings the time forward only ever comes, so whatever a filter leaves out is met by the next.
   */
  private async emptyOutbox(answered: object, seen: object, keyDueAt?: Date): Promise<boolean> {
    const update = { $set: { ...seen, outbox: [] }, $unset: { outboxAt: 1, outboxSince: 1, tries: 1 } } as const;
    const emptied = await this.requests.updateOne({ ...answered, ...(keyDueAt && { $or: [...HOLDS_KEY] }) }, update);
    if (emptied.matchedCount === 1 || !keyDueAt) return emptied.matchedCount === 1;
    const free = { ...answered, $nor: [...HOLDS_KEY] };
    const end = async (filter: object, at: Date) =>
      (await this.requests.updateOne(filter, { ...update, $set: { ...update.$set, ...keyDueFields(at) } }))
        .matchedCount === 1;
    if (await end({ ...free, keyDueBy: { $exists: false } }, keyDueAt)) return true;
    // An erasure has brought the time forward.
    const hastened = await this.requests.findOne(free, { projection: { keyDueBy: 1 } });
    return hastened !== null && (await end(free, earlier(keyDueAt, hastened.keyDueBy)));
  }

  private async decide(
    ...[filter, update]: Parameters<Collection<RequestDocument>['updateOne']>
  ): Promise<RequestDocument | null> {
    const decided = await this.requests.findOneAndUpdate(filter, update, { returnDocument: 'after' });
    if (decided) this.transitions.record(decided);
    return decided;
  }

  private async tryToAdmit(request: NewRequest): Promise<RequestDocument | Refusal | 'holder-unseen'> {
    const { ws, groupId } = request;
    if (groupId === null) {
      const tried = await this.tryToInsert(request);
      return tried === 'slot-taken' ? 'holder-unseen' : tried.answer;
    }
    const answer = await this.slots.withSlot(ws, groupId, (slot) => this.tryToInsert({ ...request, slot }));
    return answer ?? (await this.findHolder(request)) ?? 'group-full';
  }

  private async tryToInsert(request: NewRequest): Promise<SlotAttempt<RequestDocument | Refusal | 'holder-unseen'>> {
    const document = this.newDocument(request);
    const duplicate = await this.insert(document);
    if (!duplicate) return { answer: document, took: true };
    const holder = await this.findHolder(request);
    if (!holder && duplicate.includes('slot')) return 'slot-taken';
    return { answer: holder ?? 'holder-unseen', took: false };
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

  private async findHolder({ _id, ws, fingerprint }: NewRequest): Promise<Refusal | undefined> {
    if (await this.requests.findOne({ _id, ws }, { projection: { _id: 1 } })) return 'exists';
    const twin = await this.requests.findOne({ ws, fingerprint }, { projection: { _id: 1 } });
    // A create of this very id may have been admitted between the two reads.
    return twin ? (twin._id === _id ? 'exists' : 'same-in-progress') : undefined;
  }

  private async takenSlots(ws: string, groupId: string): Promise<number[]> {
    const taken = await this.requests
      .find({ ws, groupId, slot: { $exists: true } }, { projection: { _id: 0, slot: 1 } })
      .toArray();
    return taken.flatMap(({ slot }) => slot ?? []);
  }

  private newDocument(request: NewRequest): RequestDocument {
    const outbox: OutboxEntry[] = [submitRequest(request)];
    return {
      ...request,
      openDestinations: openDestinationsOf(request),
      status: 'pending',
      seq: 1,
      v: 0,
      outbox,
      outboxSince: request.receivedAt,
      ...this.resendFields(request.receivedAt),
    };
  }

  private resendFields(at: Date) {
    return { outboxAt: new Date(at.getTime() + this.resendAfterMs), tries: 0 };
  }
}
