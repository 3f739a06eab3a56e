import type { OpenStatus, RequestType } from '@opendsr-service/contracts';
import { earliestDate } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { RequestDocument } from '../admission/request.document';
import { OPEN_FILTER, requestsCollection } from '../admission/requests-collection.store';

/** Every query is answered by a small part of an index. */
export class AdmissionMeasures {
  private readonly requests: Collection<RequestDocument>;

  constructor(connection: Connection) {
    this.requests = requestsCollection(connection);
  }

  oldestDueStart(now: Date): Promise<Date | undefined> {
    return earliestDate(this.requests, 'startAt', now);
  }

  /** The longest overdue destruction of a key. Claims do not change `keyDueSince`. */
  oldestDueKey(now: Date): Promise<Date | undefined> {
    return earliestDate(this.requests, 'keyDueSince', now, 'keyDueAt');
  }

  oldestUnattested(now: Date): Promise<Date | undefined> {
    return earliestDate(this.requests, 'attestAt', now);
  }

  oldestCommand(now: Date): Promise<Date | undefined> {
    return earliestDate(this.requests, 'outboxSince', now);
  }

  /** Whether a request has not ended. Where none is open, one look answers for all series. */
  async anyOpen(): Promise<boolean> {
    return (await this.requests.findOne(OPEN_FILTER, { projection: { _id: 1 } })) !== null;
  }

  /** Counted up to `atMost`. */
  countOpen(of: { readonly status: OpenStatus; readonly type: RequestType }, atMost: number): Promise<number> {
    return this.requests.countDocuments(of, { limit: atMost });
  }

  countLate(
    of: { readonly status: OpenStatus; readonly type: RequestType },
    now: Date,
    atMost: number,
  ): Promise<number> {
    return this.requests.countDocuments({ ...of, expectedAt: { $lt: now } }, { limit: atMost });
  }
}
