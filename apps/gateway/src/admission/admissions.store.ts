import { requestKey, startingExtensions, type StartingParticipants } from '@opendsr-service/contracts';
import { BulkWriter, DocumentLoader, DueTimes, duplicateKey, type UpdateOutcome } from '@opendsr-service/storage';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Collection, Connection } from 'mongoose';
import { Acknowledgements, emptying, hasVersion, shortening } from './acknowledgements.store';
import { earlier, HOLDS_KEY, keyDueFields } from './key-due';
import { outboxEntry, type NewRequest } from './commands';
import {
  admittedDocument,
  CANCEL_NUMBERS,
  cancelUpdate,
  COMPLETION_NUMBER,
  completionUpdate,
  flags,
  resendFields,
  type DecisionOptions,
} from './decision-updates';
import { DECISIONS } from './decisions';
import type { CommandAnswer } from './event-run';
import { without } from './fields';
import { GroupSlotAllocator, type SlotAttempt } from './group-slot-allocator';
import type { ListableRequest, RequestDocument } from './request.document';
import { requestsCollection } from './requests-collection.store';
import { notifyListeners, type TransitionListeners } from './transition-listeners';

export type Refusal = 'exists' | 'same-in-progress' | 'group-full' | 'busy';

/** `unrepeatedBy` applies to commands that were never sent again; it is not before `by`. */
interface ResendLimits {
  readonly by: Date;
  readonly unrepeatedBy: Date;
}

/** The document that refused an insert may be gone, or not yet visible to a majority: retry for half a second. */
const MAX_HOLDER_TRIES = 25;
const HOLDER_PAUSE_MS = 20;

type Addressed = Pick<RequestDocument, 'ws' | 'srid'>;
type KeyField = keyof Addressed | 'kid';

/** Each decision is one conditional write of one document, and carries its command (decision 1). Filters name the workspace. */
export class AdmissionsStore {
  private readonly requests: Collection<RequestDocument>;
  private readonly starts: DueTimes<RequestDocument>;
  private readonly documents: DocumentLoader<RequestDocument>;
  private readonly versions: DocumentLoader<RequestDocument, 'v'>;
  private readonly keys: DocumentLoader<RequestDocument, KeyField>;
  private readonly acknowledgements: Acknowledgements;
  private readonly writes: BulkWriter<RequestDocument>;
  /** Separate, as cancels are: these often match nothing, and one such update makes all others of its bulk write unknown. */
  private readonly endingWrites: BulkWriter<RequestDocument>;
  private readonly cancels: BulkWriter<RequestDocument>;
  private readonly decisionOptions: DecisionOptions;
  private readonly slots = new GroupSlotAllocator((ws, groupId) => this.takenSlots(ws, groupId));

  /** `resendAfterMs`: how long a command may stay unanswered before the relay sends it again. */
  constructor(
    connection: Connection,
    resendAfterMs: number,
    private readonly listeners: TransitionListeners = {},
  ) {
    this.decisionOptions = { listeners, resendAfterMs };
    this.requests = requestsCollection(connection);
    this.starts = new DueTimes(this.requests, { due: 'startAt', filter: ['ws'] });
    this.documents = new DocumentLoader(this.requests);
    this.versions = new DocumentLoader(this.requests, { ws: 1, v: 1 });
    this.keys = new DocumentLoader(this.requests, { ws: 1, srid: 1, kid: 1 });
    this.acknowledgements = new Acknowledgements(this.requests, this.versions);
    this.writes = new BulkWriter(this.requests);
    this.endingWrites = new BulkWriter(this.requests);
    this.cancels = new BulkWriter(this.requests);
  }

  /** The insert decides; the holder is read only to word the refusal. */
  async admit(request: NewRequest): Promise<RequestDocument | Refusal> {
    for (let tries = 0; tries < MAX_HOLDER_TRIES; tries += 1) {
      if (tries > 0) await setTimeout(HOLDER_PAUSE_MS);
      const outcome = await this.tryToAdmit(request);
      if (typeof outcome !== 'string') notifyListeners(this.listeners, outcome);
      if (outcome !== 'holder-unseen') return outcome;
    }
    return 'busy';
  }

  find(ws: string, srid: string): Promise<RequestDocument | null> {
    return this.documents.load(requestKey(ws, srid), ws);
  }

  /** By which key its fields are sealed, without those fields: they may be large. */
  findKey(ws: string, srid: string): Promise<Pick<RequestDocument, KeyField> | null> {
    return this.keys.load(requestKey(ws, srid), ws);
  }

  /** At most 150, ordered by time of receipt and id. */
  async findGroup(ws: string, groupId: string): Promise<ListableRequest[]> {
    const projection = { sealed: 0, outbox: 0, reports: 0 };
    const found = await this.requests.find({ ws, groupId, slot: { $exists: true } }, { projection }).toArray();
    return found.sort((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime() || (a.srid < b.srid ? -1 : 1));
  }

  /** Null: the request is unknown or not pending. */
  async cancel(ws: string, srid: string, at: Date): Promise<RequestDocument | null> {
    const token = randomUUID();
    for (const seq of CANCEL_NUMBERS) {
      const { filter, update } = cancelUpdate({ ws, srid }, { at, seq, token }, this.decisionOptions);
      const outcome = await this.cancels.update(filter, update);
      const cancelled = await this.readDecided({ ws, srid }, outcome, ({ cancelToken }) => cancelToken === token);
      if (cancelled) return cancelled;
    }
    return null;
  }

  async findDue(now: Date, limit: number): Promise<RequestDocument[]> {
    return this.requests.find({ startAt: { $lte: now } }, { sort: { startAt: 1 }, limit }).toArray();
  }

  nextStartAfter(now: Date): Promise<Date | undefined> {
    return this.starts.nextAfter(now);
  }

  /**
   * Null: the request is no longer pending, or its key is destroyed. Participants are written with the status, so that
   * no reader sees `in_progress` without them.
   */
  async start(due: RequestDocument, now: Date, participants?: StartingParticipants): Promise<RequestDocument | null> {
    const { ws } = due;
    const seq = due.seq + 1;
    if (!due.sealed) return null;
    const extensions = participants && startingExtensions(participants);
    const { set, unset } = DECISIONS.StartRequest(now, seq);
    const changed = { ...set, ...(extensions && { extensions }), ...resendFields(now, this.decisionOptions) };
    const command = outboxEntry(due, {
      seq,
      type: 'StartRequest',
      at: now,
      data: { ...(participants && { participants }) },
    });
    const outcome = await this.writes.update(
      { _id: due._id, ws, status: 'pending', seq: due.seq, startAt: { $lte: now } },
      { $set: changed, $min: { outboxSince: now }, $push: { outbox: command }, $unset: flags(unset) },
    );
    if (outcome !== 'applied')
      return this.readDecided(due, outcome, ({ startedAt }) => startedAt?.getTime() === now.getTime());
    const started = { ...without(due, unset), ...changed, outbox: [...due.outbox, command] };
    notifyListeners(this.listeners, started);
    return started;
  }

  /** Applies events that end with `RequestFulfilled`, which answers all earlier commands. */
  async complete(of: CommandAnswer, now: Date): Promise<RequestDocument | null> {
    const { filter, update } = completionUpdate(
      of,
      { at: now, seq: COMPLETION_NUMBER, unanswered: [] },
      this.decisionOptions,
    );
    const completed = await this.readCompleted(of, await this.writes.update(filter, update), now);
    return completed ?? this.completeExtended(of, now);
  }

  /**
   * Removes the commands up to `commandSeq` from the outbox. False: the events are not the next versions, or later ones were
   * applied since. A repeat of the last ones may be answered by true, where it shared a write with others.
   */
  acknowledge(of: CommandAnswer): Promise<boolean> {
    return of.keyDueAt ? this.end(of, of.keyDueAt) : this.acknowledgements.add(of);
  }

  async versionOf(ws: string, srid: string): Promise<number | undefined> {
    return (await this.versions.load(requestKey(ws, srid), ws))?.v;
  }

  /** The longest overdue first. */
  async findUnanswered({ by, unrepeatedBy }: ResendLimits, limit: number): Promise<RequestDocument[]> {
    return this.requests
      .find(
        { outboxAt: { $lte: unrepeatedBy }, $or: [{ outboxAt: { $lte: by } }, { tries: { $not: { $gt: 0 } } }] },
        { sort: { outboxAt: 1 }, limit },
      )
      .toArray();
  }

  /** False: another relay has rescheduled it. */
  async reschedule(request: RequestDocument, until: Date): Promise<boolean> {
    const { _id, ws, outboxAt, outbox } = request;
    const outboxSince = outbox[0] && new Date(outbox[0].at);
    const result = await this.requests.updateOne(
      { _id, ws, outboxAt },
      { $set: { outboxAt: until, ...(outboxSince && { outboxSince }) }, $inc: { tries: 1 } },
    );
    return result.matchedCount === 1;
  }

  /** The last event also sets when the key is due. */
  private async end(of: CommandAnswer, keyDueAt: Date): Promise<boolean> {
    const { filter: answered, update } = emptying(of);
    const nothingHoldsKey = { ...answered, $nor: [...HOLDS_KEY] };
    const withoutLimit = { ...nothingHoldsKey, keyDueBy: { $exists: false } };
    const emptiedWithKeyDueAt = (at: Date) => ({ ...update, $set: { ...update.$set, ...keyDueFields(at) } });
    const outcome = await this.endingWrites.update(withoutLimit, emptiedWithKeyDueAt(keyDueAt));
    if (outcome === 'applied' || (outcome === 'unknown' && (await hasVersion(this.versions, of)))) return true;
    // Holders of a key only go away, and `keyDueBy` only ever appears, so filters in this order miss no state.
    if (await this.change({ ...answered, $or: [...HOLDS_KEY] }, update)) return true;
    if (await this.change(withoutLimit, emptiedWithKeyDueAt(keyDueAt))) return true;
    const limited = await this.requests.findOne(nothingHoldsKey, { projection: { keyDueBy: 1 } });
    const byLimit = limited && emptiedWithKeyDueAt(earlier(keyDueAt, limited.keyDueBy));
    if (byLimit && (await this.change(nothingHoldsKey, byLimit))) return true;
    const shortened = shortening(of);
    return this.change(shortened.filter, shortened.update);
  }

  /** An extension has taken a number, and its command may be unanswered. */
  private async completeExtended(of: CommandAnswer, at: Date): Promise<RequestDocument | null> {
    const request = await this.find(of.ws, of.srid);
    if (!request || request.seq < COMPLETION_NUMBER || request.status !== 'in_progress') return null;
    const unanswered = request.outbox.filter((entry) => entry.seq > of.commandSeq);
    const { filter, update } = completionUpdate(of, { at, seq: request.seq + 1, unanswered }, this.decisionOptions);
    return (await this.change(filter, update)) ? this.readCompleted(of, 'applied', at) : null;
  }

  private readCompleted(of: Addressed, outcome: UpdateOutcome, now: Date): Promise<RequestDocument | null> {
    return this.readDecided(of, outcome, ({ completedAt }) => completedAt?.getTime() === now.getTime());
  }

  private async change(...[filter, update]: Parameters<Collection<RequestDocument>['updateOne']>): Promise<boolean> {
    const { matchedCount } = await this.requests.updateOne(filter, update);
    return matchedCount === 1;
  }

  /**
   * The request after a decision; null where it was not applied. Where that is unknown, the token of a cancel shows it, or
   * the time of a start or completion: two gateways that decide in the same millisecond both send the command, and one of
   * the two is a repeat.
   */
  private async readDecided(
    { ws, srid }: Addressed,
    outcome: UpdateOutcome,
    isFromThisCall: (request: RequestDocument) => boolean,
  ): Promise<RequestDocument | null> {
    if (outcome === 'unmatched') return null;
    const request = await this.find(ws, srid);
    if (!request || (outcome === 'unknown' && !isFromThisCall(request))) return null;
    notifyListeners(this.listeners, request);
    return request;
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
    const document = admittedDocument(request, this.decisionOptions);
    const duplicate = await this.insert(document);
    if (!duplicate) return { answer: document, took: true };
    const holder = await this.findHolder(request);
    if (!holder && duplicate.includes('slot')) return 'slot-taken';
    return { answer: holder ?? 'holder-unseen', took: false };
  }

  private async insert(document: RequestDocument): Promise<string[] | undefined> {
    try {
      await this.writes.insert(document);
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
    // This very id may have been admitted between the two reads.
    return twin ? (twin._id === _id ? 'exists' : 'same-in-progress') : undefined;
  }

  private async takenSlots(ws: string, groupId: string): Promise<number[]> {
    const taken = await this.requests
      .find({ ws, groupId, slot: { $exists: true } }, { projection: { _id: 0, slot: 1 } })
      .toArray();
    return taken.flatMap(({ slot }) => slot ?? []);
  }
}
