import type { Collection, Connection } from 'mongoose';
import { OPEN, requestModel } from '../../admission/request-model.store';
import type { OPEN_STATUSES, RequestDocument } from '../../admission/request.document';
import type { Place } from '../lists/cursor';
import type { ListOrder } from './list-order';
import type { ListedRequest } from './list-query';

const SHOWN = {
  ...{ ws: 1, srid: 1, status: 1, type: 1, regulation: 1, countedBy: 1, controllerId: 1, receivedAt: 1, expectedAt: 1 },
  ...{ legalDueAt: 1, dueBy: 1, atRiskAt: 1, extendedUntil: 1, completedAt: 1, cancelledAt: 1 },
} as const;

/** The earliest and latest dates that there are. */
const EARLIEST = new Date(-8.64e15);
const LATEST = new Date(8.64e15);

/** Which requests, in which order, and behind which of them. */
export interface Stretch {
  /** Absent: of all workspaces. */
  readonly ws: string | undefined;
  readonly order: ListOrder;
  /** Dates of this order: not before, and not after. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly after: Place | undefined;
}

/** Requests in their orders. Each query reads an index in its order, and only as many documents as it returns. */
export class ListedRequestsStore {
  private readonly requests: Collection<RequestDocument>;

  constructor(connection: Connection) {
    this.requests = requestModel(connection).collection as unknown as Collection<RequestDocument>;
  }

  /** The next requests, at most `limit`. */
  async next({ after, ...stretch }: Stretch, limit: number): Promise<readonly ListedRequest[]> {
    const { field, past } = ORDERS[stretch.order];
    const all = range(stretch);
    if (!after) return this.find(stretch, { [field]: all }, limit);
    // Many share a date: the rest of that date comes first.
    const sameDate = await this.find(stretch, { [field]: after.at, _id: { [past]: after.id } }, limit);
    if (sameDate.length >= limit) return sameDate;
    const rest = { ...all, [past]: after.at };
    return [...sameDate, ...(await this.find(stretch, { [field]: rest }, limit - sameDate.length))];
  }

  /** How many have not ended and are due in this time; up to `limit`. */
  countDue(ws: string | undefined, { from = EARLIEST, before }: DueTime, limit: number): Promise<number> {
    const dueBy = { $gte: from, ...(before && { $lt: before }) };
    return this.requests.countDocuments({ ...(ws !== undefined && { ws }), ...OPEN, dueBy }, { limit });
  }

  /** How many of these have not ended, by status; up to `limit`. `lateBy`: those alone that are at risk or overdue by then. */
  countOpen(ws: string | undefined, { status, lateBy }: OpenState, limit: number): Promise<number> {
    const of = { ...(ws !== undefined && { ws }), status, ...(lateBy && { atRiskAt: { $lte: lateBy } }) };
    return this.requests.countDocuments(of, { limit });
  }

  private async find({ ws, order }: Pick<Stretch, 'ws' | 'order'>, dates: object, limit: number) {
    const { sort, filter } = ORDERS[order];
    const found = await this.requests
      .find({ ...(ws !== undefined && { ws }), ...filter, ...dates }, { sort, limit, projection: SHOWN })
      .toArray();
    return found as readonly ListedRequest[];
  }
}

interface OpenState {
  readonly status: (typeof OPEN_STATUSES)[number];
  readonly lateBy?: Date;
}

interface DueTime {
  readonly from?: Date;
  readonly before?: Date;
}

const ORDERS = {
  received: { field: 'receivedAt', past: '$lt', sort: { receivedAt: -1, _id: -1 }, filter: {} },
  due: { field: 'dueBy', past: '$gt', sort: { dueBy: 1, _id: 1 }, filter: OPEN },
} as const;

const range = ({ from = EARLIEST, to = LATEST }: Pick<Stretch, 'from' | 'to'>) => ({ $gte: from, $lte: to });
