import type { RequestType } from '@opendsr-service/contracts';
import { earliestDate } from '@opendsr-service/storage';
import type { Collection, Connection, Model } from 'mongoose';
import type { RequestDocument } from '../admission/request.document';
import { requestModel } from '../admission/request-model.store';
import type { OpenStatus } from './open-statuses';

/** What is asked of the admissions so often that each answer must come from an index, and from little of it. */
export class AdmissionMeasures {
  private readonly model: Model<RequestDocument>;
  private readonly requests: Collection<RequestDocument>;

  constructor(connection: Connection) {
    this.model = requestModel(connection);
    this.requests = this.model.collection as unknown as Collection<RequestDocument>;
  }

  /** The longest overdue start. */
  oldestDueStart(now: Date): Promise<Date | undefined> {
    return earliestDate(this.model, 'startAt', now);
  }

  /** The longest overdue destruction of a key. Those of before the time was kept that stands count by the one that claims put off. */
  async oldestDueKey(now: Date): Promise<Date | undefined> {
    const [since, at] = await Promise.all([
      earliestDate(this.model, 'keyDueSince', now, 'keyDueAt'),
      earliestDate(this.model, 'keyDueAt', now),
    ]);
    return since && at && at < since ? at : (since ?? at);
  }

  /** When the oldest command was decided that no event has answered. */
  oldestCommand(now: Date): Promise<Date | undefined> {
    return earliestDate(this.model, 'outboxSince', now);
  }

  /** How many requests of a type have this status, counted up to `atMost`. */
  countOpen(of: { readonly status: OpenStatus; readonly type: RequestType }, atMost: number): Promise<number> {
    return this.requests.countDocuments(of, { limit: atMost });
  }

  /** How many of them should have been completed by now, counted up to `atMost`. */
  countLate(
    of: { readonly status: OpenStatus; readonly type: RequestType },
    now: Date,
    atMost: number,
  ): Promise<number> {
    return this.requests.countDocuments({ ...of, expectedAt: { $lt: now } }, { limit: atMost });
  }
}
