import { requestKey } from '@opendsr-service/contracts';
import type { Collection, Connection } from 'mongoose';
import type { RequestDocument } from '../admission/request.document';
import { requestsCollection } from '../admission/requests-collection.store';
import { ATTESTED_FIELDS, type AttestedRequest } from './attestation-of';

type Address = Pick<RequestDocument, 'ws' | 'srid'>;

/** `attestAt` and `history` are written together. */
type RequestWithHistory = RequestDocument & Required<Pick<RequestDocument, 'history'>>;

/** Requests that have ended and whose attestation is not on the log yet. */
export class UnattestedStore {
  private readonly requests: Collection<RequestWithHistory>;

  constructor(connection: Connection) {
    this.requests = requestsCollection(connection) as unknown as Collection<RequestWithHistory>;
  }

  async find(these: readonly Address[]): Promise<AttestedRequest[]> {
    if (these.length === 0) return [];
    return this.requests.find(unattested(these), { projection: ATTESTED }).toArray();
  }

  /** Those that the process which applied their end has not attested in its time, the oldest first. */
  async findDue(now: Date, limit: number): Promise<AttestedRequest[]> {
    return this.requests
      .find({ attestAt: { $lte: now } }, { sort: { attestAt: 1 }, limit, projection: ATTESTED })
      .toArray();
  }

  async attested(these: readonly Address[]): Promise<void> {
    if (these.length > 0) await this.requests.updateMany(unattested(these), { $unset: { attestAt: 1 } });
  }

  /** Makes them due for every process. */
  async release(these: readonly Address[], now: Date): Promise<void> {
    if (these.length > 0) await this.requests.updateMany(unattested(these), { $min: { attestAt: now } });
  }
}

const ATTESTED = Object.fromEntries(ATTESTED_FIELDS.map((field) => [field, 1]));

const unattested = (these: readonly Address[]) => ({
  _id: { $in: these.map(({ ws, srid }) => requestKey(ws, srid)) },
  ws: { $in: [...new Set(these.map(({ ws }) => ws))] },
  attestAt: { $exists: true },
});
