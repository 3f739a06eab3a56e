import { OPEN_STATUSES } from '@opendsr-service/contracts';
import type { Collection, Connection } from 'mongoose';
import { outboxEntry } from '../admission/commands';
import { resendFields } from '../admission/decision-updates';
import { extensionFields, type DeadlineExtension } from '../admission/legal-dates';
import { findRequest, requestsCollection } from '../admission/requests-collection.store';
import type { RequestDocument } from '../admission/request.document';

/** The legal dates of requests that have not ended (decision 24). */
export class DeadlinesStore {
  private readonly requests: Collection<RequestDocument>;

  constructor(private readonly connection: Connection) {
    this.requests = requestsCollection(connection);
  }

  /** Null: the request is unknown. */
  find(ws: string, srid: string): Promise<RequestDocument | null> {
    return findRequest(this.connection, ws, srid);
  }

  /** The decision, with its command. False: another decision was faster, the date is over, or it is extended already. */
  async extend(
    { _id, ws, srid, seq, legalSince }: RequestDocument,
    { reason, ...extension }: DeadlineExtension & { readonly reason: string },
  ): Promise<boolean> {
    const { at } = extension;
    const command = outboxEntry({ ws, srid }, { seq: seq + 1, type: 'ExtendDeadline', at });
    const { matchedCount } = await this.requests.updateOne(
      {
        _id,
        ws,
        seq,
        status: { $in: [...OPEN_STATUSES] },
        extendedUntil: { $exists: false },
        dueBy: { $gte: at },
        v: { $gte: 1 },
        sealed: { $exists: true },
      },
      {
        $set: {
          ...extensionFields({ ...(legalSince && { legalSince }) }, extension),
          ...{ 'sealed.extensionReason': reason, seq: command.seq },
          ...resendFields(at, { resendAfterMs: 0 }),
        },
        $min: { outboxSince: at },
        $push: { outbox: command },
      },
    );
    return matchedCount === 1;
  }
}
