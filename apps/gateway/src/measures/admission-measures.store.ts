import type { OpenStatus, RequestType } from '@opendsr-service/contracts';
import { earliestDate } from '@opendsr-service/storage';
import type { Collection, Connection, Model } from 'mongoose';
import type { RequestDocument } from '../admission/request.document';
import { OPEN_FILTER, requestModel } from '../admission/request-model.store';

/** Every query is answered by a small part of an index. */
export class AdmissionMeasures {
  private readonly model: Model<RequestDocument>;
  private readonly requests: Collection<RequestDocument>;

  constructor(connection: Connection) {
    this.model = requestModel(connection);
    this.requests = this.model.collection as unknown as Collection<RequestDocument>;
  }

  oldestDueStart(now: Date): Promise<Date | undefined> {
    return earliestDate(this.model, 'startAt', now);
  }

  /** The longest overdue destruction of a key. Claims do not change `keyDueSince`. */
  oldestDueKey(now: Date): Promise<Date | undefined> {
    return earliestDate(this.model, 'keyDueSince', now, 'keyDueAt');
  }

  oldestUnattested(now: Date): Promise<Date | undefined> {
    return earliestDate(this.model, 'attestAt', now);
  }

  oldestCommand(now: Date): Promise<Date | undefined> {
    return earliestDate(this.model, 'outboxSince', now);
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
