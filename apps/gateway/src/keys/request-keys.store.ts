import { requestKey, type KeyDestroyed, type DestinationSettled } from '@opendsr-service/contracts';
import { DueTimes, type Claimed } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { RequestDocument } from '../admission/request.document';
import { requestModel } from '../admission/request-model.store';
import { EndedPersonsStore } from './ended-persons.store';
import { keyFreeSince, keyDueFields, keyDueAt, openDestinationsOf, type KeyHolder } from '../admission/key-due';

const PAGE = 200;
/** Each may be about many persons, and they are noted one after the other. */
const ENDED_PAGE = 20;
/** Longer than a tombstone waits for its acknowledgement and the key for its deletion. */
const LEASE_MS = 60_000;
/** Events of the same request may come in between, but only few are left when destinations settle. */
const MAX_TRIES = 5;

/** An admission changed again and again while a destination was to be settled; the same call may succeed later. */
export class AdmissionContended extends Error {
  override readonly name = 'AdmissionContended';
}

type KeyState = KeyHolder & Pick<RequestDocument, '_id' | 'ws' | 'v' | 'seq' | 'keyDueBy'>;

/** What goes with a key: what it sealed, and what is noted of its end. `personsAt` stays: whoever notes its persons at that moment may die, and the next claim forgets them. */
const UNSET_WITH_KEY = { sealed: 1, keyDueAt: 1, keyDueSince: 1, keyDueBy: 1, keyToken: 1 } as const;
const ENDED = { $in: ['completed', 'cancelled'] as const };

/** What admissions say of their own keys (D4). Every write names the workspace in its filter. */
export class RequestKeysStore {
  private readonly requests: Collection<RequestDocument>;
  private readonly due: DueTimes<RequestDocument>;
  private readonly ended: DueTimes<RequestDocument>;
  private readonly persons: EndedPersonsStore;

  /** `keepMs`: how long a key is kept once nothing needs it. */
  constructor(
    connection: Connection,
    private readonly keepMs: number,
  ) {
    const model = requestModel(connection);
    this.requests = model.collection as unknown as Collection<RequestDocument>;
    this.due = new DueTimes(model, { due: 'keyDueAt', filter: ['ws'], token: 'keyToken' });
    this.ended = new DueTimes(model, { due: 'personsAt', filter: ['ws'], token: 'personsToken' });
    this.persons = new EndedPersonsStore(connection);
  }

  /** Takes a settled destination out, and with the last one of an ended request sets when its key is due. False: it is out already, or nobody knows the request. */
  async settleDestination({
    ws,
    srid,
    destination,
  }: Pick<DestinationSettled, 'ws' | 'srid' | 'destination'>): Promise<boolean> {
    for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
      const seen = await this.readState(ws, srid);
      if (!seen || !openDestinationsOf(seen).includes(destination)) return false;
      if (await this.removeDestination(seen, destination)) return true;
    }
    throw new AdmissionContended(`the admission changed ${MAX_TRIES} times`);
  }

  /** Claims requests whose key is due, the longest overdue first, for one of many gateways. */
  claimDue(now: Date): Promise<Claimed<RequestDocument>[]> {
    return this.due.claim(now, { limit: PAGE, leaseMs: LEASE_MS });
  }

  /** Lets go of what a destroyed key had sealed; false: the claim had run out, and another has it. */
  async recordKeyGone({ document: { _id, ws, srid }, token }: Claimed<RequestDocument>, now: Date): Promise<boolean> {
    await this.persons.deleteByRequests(ws, [srid]);
    const { matchedCount } = await this.requests.updateOne(
      { _id, ws, keyToken: token },
      { $set: { keyGoneAt: now }, $unset: UNSET_WITH_KEY },
    );
    return matchedCount === 1;
  }

  /** Claims requests that have ended and of which it is not noted whom they were about, those that ended first, for one of many gateways. */
  claimEnded(now: Date): Promise<Claimed<RequestDocument>[]> {
    return this.ended.claim(now, { limit: ENDED_PAGE, leaseMs: LEASE_MS });
  }

  /** That is noted, whoever else notes it again; what was noted of a request whose key went meanwhile is forgotten with it. */
  async personsRecorded({ _id, ws, srid }: RequestDocument): Promise<void> {
    const isNoted = { $unset: { personsAt: 1, personsToken: 1 } } as const;
    if ((await this.requests.updateOne({ _id, ws, keyGoneAt: { $exists: false } }, isNoted)).matchedCount === 1) return;
    await this.persons.deleteByRequests(ws, [srid]);
    await this.requests.updateOne({ _id, ws }, isNoted);
  }

  /** Has the keys of these requests due by then at the latest, as far as these have ended and hold nothing; what holds one goes first. The first such time stays. */
  async bringForward(ws: string, srids: readonly string[], by: Date): Promise<void> {
    const these = {
      _id: { $in: srids.map((srid) => requestKey(ws, srid)) },
      ws,
      status: ENDED,
      keyGoneAt: { $exists: false },
    };
    await this.requests.updateMany({ ...these, keyDueBy: { $exists: false } }, { $set: { keyDueBy: by } });
    // Whoever sets the time from now on knows of that.
    await this.requests.updateMany(
      { ...these, keyDueAt: { $gt: by }, keyToken: { $exists: false } },
      { $set: keyDueFields(by) },
    );
  }

  /**
   * Brings an older copy of the admissions to what tombstones say. A request whose key is gone had ended: whatever this copy holds
   * of its commands, nothing is started or sent again, and it keeps nobody from asking for the same.
   */
  async applyTombstones(tombstones: readonly KeyDestroyed[]): Promise<void> {
    const ofRequests = tombstones.filter(({ scope }) => scope === 'request');
    for (const [ws, those] of Map.groupBy(ofRequests, (tombstone) => tombstone.ws))
      await this.applyInWorkspace(ws, new Map(those.map(({ kid, at }) => [kid, at])));
  }

  /** All tombstones are read at each start: what is gone already is left alone. The persons go first, so that whatever dies in between is done again. */
  private async applyInWorkspace(ws: string, gone: ReadonlyMap<string, string>): Promise<void> {
    const these = { ws, kid: { $in: [...gone.keys()] }, keyGoneAt: { $exists: false } };
    const left = await this.requests.find(these, { projection: { srid: 1, kid: 1 } }).toArray();
    if (left.length === 0) return;
    await this.persons.deleteByRequests(
      ws,
      left.map(({ srid }) => srid),
    );
    await this.requests.bulkWrite(
      left.map(({ _id, kid }) => ({
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
      'sealed.callbacks': 1,
      completedAt: 1,
      cancelledAt: 1,
      keyDueBy: 1,
    };
    return this.requests.findOne({ _id: requestKey(ws, srid), ws }, { projection });
  }

  /** By compare-and-set: every event raises `v` and every decision `seq`, so status and outbox are as they were seen; an erasure may bring the time forward. */
  private async removeDestination(seen: KeyState, destination: string): Promise<boolean> {
    const { _id, ws, v, seq, keyDueBy } = seen;
    const openDestinations = openDestinationsOf(seen).filter((open) => open !== destination);
    const end = keyFreeSince({ ...seen, openDestinations });
    const { matchedCount } = await this.requests.updateOne(
      {
        _id,
        ws,
        v,
        seq,
        openDestinations: seen.openDestinations ?? { $exists: false },
        keyDueBy: keyDueBy ?? { $exists: false },
      },
      { $set: { openDestinations, ...(end && keyDueFields(keyDueAt(end, this.keepMs, keyDueBy))) } },
    );
    return matchedCount === 1;
  }
}
