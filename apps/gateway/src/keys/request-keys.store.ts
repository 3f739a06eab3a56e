import { ENDED_STATUSES, requestKey, type KeyDestroyed, type DestinationSettled } from '@opendsr-service/contracts';
import { BulkWriter, DueTimes, type Claimed } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { RequestDocument } from '../admission/request.document';
import { requestsCollection } from '../admission/requests-collection.store';
import { EndedPersonsStore } from './ended-persons.store';
import { keyFreeSince, keyDueFields, keyDueAt, type KeyHolder } from '../admission/key-due';

const PAGE = 200;
/** Each may have many persons. */
export const ENDED_PAGE = 100;
/** Longer than publishing a tombstone and deleting a key take. */
const LEASE_MS = 60_000;
const MAX_TRIES = 5;

/** The admission changed repeatedly during a write; the same call may succeed later. */
class AdmissionContended extends Error {
  override readonly name = 'AdmissionContended';
}

const DUE_FIELDS = ['ws', 'srid', 'kid', 'status', 'outbox', 'openDestinations', 'completedAt', 'cancelledAt'] as const;

/** What its worker needs of a request whose key is due, without what the key sealed. */
export type DueKey = Pick<RequestDocument, '_id' | (typeof DUE_FIELDS)[number]>;

type KeyState = KeyHolder & Pick<RequestDocument, '_id' | 'ws' | 'v' | 'seq' | 'keyDueBy'>;

/** `personsAt` stays, so that a later claim deletes persons that a crashed worker recorded. */
const UNSET_WITH_KEY = {
  ...({ sealed: 1, keyDueAt: 1, keyDueSince: 1, keyDueBy: 1, keyToken: 1 } as const),
  callbacksFailing: 1,
} as const;

/** The key fields of admissions (decision 4). */
export class RequestKeysStore {
  private readonly requests: Collection<RequestDocument>;
  private readonly due: DueTimes<DueKey>;
  private readonly ended: DueTimes<RequestDocument>;
  private readonly persons: EndedPersonsStore;
  private readonly writes: BulkWriter<RequestDocument>;

  constructor(
    connection: Connection,
    private readonly keepMs: number,
  ) {
    this.requests = requestsCollection(connection);
    this.due = new DueTimes(this.requests as unknown as Collection<DueKey>, {
      ...{ due: 'keyDueAt', filter: ['ws'], token: 'keyToken', fields: DUE_FIELDS },
    });
    this.ended = new DueTimes(this.requests, { due: 'personsAt', filter: ['ws'], token: 'personsToken' });
    this.persons = new EndedPersonsStore(connection);
    this.writes = new BulkWriter(this.requests);
  }

  /**
   * Removes a settled destination; the last one of an ended request sets when its key is due. False: nothing to remove.
   */
  async settleDestination({
    ws,
    srid,
    destination,
  }: Pick<DestinationSettled, 'ws' | 'srid' | 'destination'>): Promise<boolean> {
    for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
      const seen = await this.readState(ws, srid);
      if (!seen || !seen.openDestinations.includes(destination)) return false;
      if (await this.removeDestination(seen, destination)) return true;
    }
    throw new AdmissionContended(`the admission changed ${MAX_TRIES} times`);
  }

  claimDue(now: Date): Promise<Claimed<DueKey>[]> {
    return this.due.claim(now, { limit: PAGE, leaseMs: LEASE_MS });
  }

  /** Removes what the destroyed key sealed. False: the claim has expired. */
  async recordKeyGone({ document: { _id, ws, srid }, token }: Claimed<DueKey>, now: Date): Promise<boolean> {
    const claimed = { _id, ws, keyToken: token };
    // Who records its persons from now on deletes them again. The claim ends last, so that a crash in between repeats this.
    await this.requests.updateOne(claimed, { $min: { keyGoneAt: now } });
    await this.persons.deleteByRequests(ws, [srid]);
    const { matchedCount } = await this.requests.updateOne(claimed, { $unset: UNSET_WITH_KEY });
    return matchedCount === 1;
  }

  claimEnded(now: Date): Promise<Claimed<RequestDocument>[]> {
    return this.ended.claim(now, { limit: ENDED_PAGE, leaseMs: LEASE_MS });
  }

  /** Deletes the persons again where the key was destroyed meanwhile. `isAttested`: the attestation is on the log, too. */
  async personsRecorded({ _id, ws, srid }: RequestDocument, isAttested = false): Promise<void> {
    const unsetDue = {
      $unset: { personsAt: 1, personsToken: 1, ...(isAttested && { attestAt: 1 as const }) },
    } as const;
    const withKey = { _id, ws, keyGoneAt: { $exists: false } };
    if ((await this.writes.updateAlike(withKey, unsetDue)) === 'applied') return;
    if ((await this.requests.updateOne(withKey, unsetDue)).matchedCount === 1) return;
    await this.persons.deleteByRequests(ws, [srid]);
    await this.requests.updateOne({ _id, ws }, unsetDue);
  }

  /** Sets the latest time at which these keys are due, once nothing holds them. A limit that is set stays. */
  async bringForward(ws: string, srids: readonly string[], by: Date): Promise<void> {
    const these = {
      _id: { $in: srids.map((srid) => requestKey(ws, srid)) },
      ws,
      status: { $in: [...ENDED_STATUSES] },
      keyGoneAt: { $exists: false },
    };
    await this.requests.updateMany({ ...these, keyDueBy: { $exists: false } }, { $set: { keyDueBy: by } });
    await this.requests.updateMany(
      { ...these, keyDueAt: { $gt: by }, keyToken: { $exists: false } },
      { $set: keyDueFields(by) },
    );
  }

  /**
   * Applies tombstones to an older copy. Without its key a request had ended: its commands and its fingerprint go, too.
   */
  async applyTombstones(tombstones: readonly KeyDestroyed[]): Promise<void> {
    const ofRequests = tombstones.filter(({ scope }) => scope === 'request');
    for (const [ws, those] of Map.groupBy(ofRequests, (tombstone) => tombstone.ws))
      await this.applyInWorkspace(ws, new Map(those.map(({ kid, at }) => [kid, at])));
  }

  /** Persons go first, so that a crash in between repeats the step. */
  private async applyInWorkspace(ws: string, gone: ReadonlyMap<string, string>): Promise<void> {
    const these = { ws, kid: { $in: [...gone.keys()] }, keyGoneAt: { $exists: false } };
    const affected = await this.requests.find(these, { projection: { srid: 1, kid: 1 } }).toArray();
    if (affected.length === 0) return;
    await this.persons.deleteByRequests(
      ws,
      affected.map(({ srid }) => srid),
    );
    await this.requests.bulkWrite(
      affected.map(({ _id, kid }) => ({
        updateOne: {
          filter: { _id, ws, keyGoneAt: { $exists: false } },
          update: {
            $set: { keyGoneAt: new Date(gone.get(kid) as string), outbox: [] },
            $unset: { ...UNSET_WITH_KEY, fingerprint: 1, startAt: 1, outboxAt: 1, outboxSince: 1, tries: 1 },
          },
        },
      })),
      { ordered: false },
    );
  }

  private readState(ws: string, srid: string): Promise<KeyState | null> {
    const projection = {
      ws: 1,
      v: 1,
      seq: 1,
      status: 1,
      outbox: 1,
      openDestinations: 1,
      completedAt: 1,
      cancelledAt: 1,
      keyDueBy: 1,
    };
    return this.requests.findOne({ _id: requestKey(ws, srid), ws }, { projection });
  }

  /** Compare-and-set: events raise `v`, decisions raise `seq`, and an erasure may set `keyDueBy`. */
  private async removeDestination(seen: KeyState, destination: string): Promise<boolean> {
    const { _id, ws, v, seq, keyDueBy } = seen;
    const openDestinations = seen.openDestinations.filter((open) => open !== destination);
    const end = keyFreeSince({ ...seen, openDestinations });
    const { matchedCount } = await this.requests.updateOne(
      {
        _id,
        ws,
        v,
        seq,
        openDestinations: seen.openDestinations,
        keyDueBy: keyDueBy ?? { $exists: false },
      },
      { $set: { openDestinations, ...(end && keyDueFields(keyDueAt(end, this.keepMs, keyDueBy))) } },
    );
    return matchedCount === 1;
  }
}
