import { requestKey, type KeyDestroyed, type LaneSettled } from '@opendsr-service/contracts';
import { DueTimes, type Claimed } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { RequestDocument } from '../requests/request.document';
import { requestModel } from '../requests/request-model.store';
import { endOf, keyDue, keyDueAt, openLanes, type KeyHolding } from './key-life';

const PAGE = 200;
/** Longer than a tombstone waits for its acknowledgement and the key for its deletion. */
const LEASE_MS = 60_000;
/** Events of the same request may come in between, but only few are left when lanes settle. */
const TRIES = 5;

/** An admission changed again and again while a lane was to be settled; the same call may succeed later. */
export class AdmissionContended extends Error {
  override readonly name = 'AdmissionContended';
}

type Seen = KeyHolding & Pick<RequestDocument, '_id' | 'ws' | 'v' | 'seq'>;

/** What admissions say of their own keys (D4). Every write names the workspace in its filter. */
export class RequestKeysStore {
  private readonly requests: Collection<RequestDocument>;
  private readonly due: DueTimes<RequestDocument>;

  /** `keepMs`: how long a key is kept once nothing needs it. */
  constructor(
    connection: Connection,
    private readonly keepMs: number,
  ) {
    const model = requestModel(connection);
    this.requests = model.collection as unknown as Collection<RequestDocument>;
    this.due = new DueTimes(model, { due: 'keyDueAt', filter: ['ws'], token: 'keyToken' });
  }

  /** Takes a settled lane out, and with the last one of an ended request sets when its key is due. False: it is out already, or nobody knows the request. */
  async settle({ ws, srid, lane }: Pick<LaneSettled, 'ws' | 'srid' | 'lane'>): Promise<boolean> {
    for (let tries = TRIES; tries > 0; tries -= 1) {
      const seen = await this.see(ws, srid);
      if (!seen || !openLanes(seen).includes(lane)) return false;
      if (await this.takeOut(seen, lane)) return true;
    }
    throw new AdmissionContended(`the admission changed ${TRIES} times`);
  }

  /** Claims requests whose key is due, the longest overdue first, for one of many gateways. */
  claimDue(now: Date): Promise<Claimed<RequestDocument>[]> {
    return this.due.claim(now, { limit: PAGE, leaseMs: LEASE_MS });
  }

  /** Lets go of what a destroyed key had sealed; false: the claim had run out, and another has it. */
  async forget({ document: { _id, ws }, token }: Claimed<RequestDocument>, now: Date): Promise<boolean> {
    const { matchedCount } = await this.requests.updateOne({ _id, ws, keyToken: token }, { $set: { keyGoneAt: now }, $unset: { sealed: 1, keyDueAt: 1, keyDueSince: 1, keyToken: 1 } });
    return matchedCount === 1;
  }

  /**
   * Brings an older copy of the admissions to what tombstones say. A request whose key is gone had ended: whatever this copy holds
   * of its commands, nothing is started or sent again, and it keeps nobody from asking for the same.
   */
  async applyTombstones(tombstones: readonly KeyDestroyed[]): Promise<void> {
    const ofRequests = tombstones.filter(({ scope }) => scope === 'request');
    if (ofRequests.length === 0) return;
    await this.requests.bulkWrite(
      ofRequests.map(({ ws, kid, at }) => ({
        updateOne: {
          filter: { ws, kid, keyGoneAt: { $exists: false } },
          update: { $set: { keyGoneAt: new Date(at), outbox: [] }, $unset: { sealed: 1, fingerprint: 1, keyDueAt: 1, keyDueSince: 1, keyToken: 1, startAt: 1, outboxAt: 1, outboxSince: 1, tries: 1 } },
        },
      })),
      { ordered: false },
    );
  }

  private see(ws: string, srid: string): Promise<Seen | null> {
    const projection = { ws: 1, v: 1, seq: 1, status: 1, outbox: 1, lanesOpen: 1, 'sealed.callbacks': 1, completedAt: 1, cancelledAt: 1 };
    return this.requests.findOne({ _id: requestKey(ws, srid), ws }, { projection });
  }

  /** By compare-and-set: every event raises `v` and every decision `seq`, so status and outbox are as they were seen. */
  private async takeOut(seen: Seen, lane: string): Promise<boolean> {
    const { _id, ws, v, seq } = seen;
    const lanesOpen = openLanes(seen).filter((open) => open !== lane);
    const end = endOf({ ...seen, lanesOpen });
    const { matchedCount } = await this.requests.updateOne(
      { _id, ws, v, seq, lanesOpen: seen.lanesOpen ?? { $exists: false } },
      { $set: { lanesOpen, ...(end && keyDue(keyDueAt(end, this.keepMs))) } },
    );
    return matchedCount === 1;
  }
}
