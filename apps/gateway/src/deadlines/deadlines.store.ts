import { OPEN_STATUSES } from '@opendsr-service/contracts';
import type { Collection, Connection } from 'mongoose';
import { outboxEntry } from '../admission/commands';
import { resendFields } from '../admission/decision-updates';
import { extensionFields, type DeadlineExtension } from '../admission/legal-dates';
import { OPEN_FILTER, requestsCollection } from '../admission/requests-collection.store';
import type { RequestDocument } from '../admission/request.document';

const PAGE = 500;

/** Requests that have not ended and whose legal date is not later than `until`. */
export interface DueFilter {
  readonly ws?: string;
  readonly until?: Date;
}

const SHOWN = {
  ws: 1,
  srid: 1,
  status: 1,
  type: 1,
  countedBy: 1,
  workspaceClass: 1,
  receivedAt: 1,
  legalDueAt: 1,
  extendedUntil: 1,
  atRiskAt: 1,
  dueBy: 1,
} as const;

export type DueRequest = Pick<RequestDocument, '_id' | keyof typeof SHOWN> & Required<Pick<RequestDocument, 'dueBy'>>;

/** The legal dates of requests that have not ended (decision 24). */
export class DeadlinesStore {
  private readonly requests: Collection<RequestDocument>;

  constructor(
    connection: Connection,
    private readonly page = PAGE,
  ) {
    this.requests = requestsCollection(connection);
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

  /** The earliest legal date first. Pages of requests, by index. */
  async *listPages(filter: DueFilter): AsyncGenerator<readonly DueRequest[]> {
    let last: DueRequest | undefined;
    for (;;) {
      const page = await this.pageAfter(last, filter);
      if (page.length === 0) return;
      yield page;
      last = page.at(-1);
    }
  }

  /** Many requests are due at the end of the same day: the rest of that day comes first. */
  private async pageAfter(last: DueRequest | undefined, filter: DueFilter): Promise<readonly DueRequest[]> {
    if (!last) return this.find({ dueBy: { $gte: EARLIEST, ...upTo(filter) } }, filter);
    const sameDate = await this.find({ dueBy: last.dueBy, _id: { $gt: last._id } }, filter);
    if (sameDate.length > 0) return sameDate;
    return this.find({ dueBy: { $gt: last.dueBy, ...upTo(filter) } }, filter);
  }

  private find(dates: object, { ws }: DueFilter): Promise<DueRequest[]> {
    return this.requests
      .find(
        { ...(ws !== undefined && { ws }), ...OPEN_FILTER, ...dates },
        { sort: { dueBy: 1, _id: 1 }, limit: this.page, projection: SHOWN },
      )
      .toArray() as unknown as Promise<DueRequest[]>;
  }
}

/** The earliest date that there is: a request may be due before 1970. */
const EARLIEST = new Date(-8.64e15);
const upTo = ({ until }: DueFilter) => (until ? { $lte: until } : {});
