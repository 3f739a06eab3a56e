import type { OpenStatus, RequestStatus } from '@opendsr-service/contracts';
import type { Collection, Connection } from 'mongoose';
import { OPEN_FILTER, requestsCollection } from '../../admission/requests-collection.store';
import type { RequestDocument } from '../../admission/request.document';
import type { Place } from '../lists/cursor';
import type { ListedRequest, ListOrder } from './list-query';
import { merged } from './request-order';

const SHOWN = {
  ...{ ws: 1, srid: 1, status: 1, type: 1, regulation: 1, countedBy: 1, controllerId: 1, receivedAt: 1, expectedAt: 1 },
  ...{ legalDueAt: 1, dueBy: 1, atRiskAt: 1, extendedUntil: 1, completedAt: 1, cancelledAt: 1, callbacksFailing: 1 },
} as const;

/** The earliest and latest dates that there are. */
const EARLIEST = new Date(-8.64e15);
const LATEST = new Date(8.64e15);

/** Which requests, in which order, and behind which of them. */
export interface Stretch {
  /** Absent: of all workspaces. */
  readonly ws: string | undefined;
  readonly order: ListOrder;
  /** Only in the order of receipt, and not with `isFailing`. */
  readonly status: RequestStatus | undefined;
  readonly isFailing: boolean;
  /** Dates of this order: not before, and not after. */
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly after: Place | undefined;
}

/** Requests in their orders. Each query reads an index in its order, and only as many documents as it returns. */
export class ListedRequestsStore {
  private readonly requests: Collection<RequestDocument>;

  constructor(connection: Connection) {
    this.requests = requestsCollection(connection);
  }

  /** The next requests, at most `limit`. */
  async next(stretch: Stretch, limit: number): Promise<readonly ListedRequest[]> {
    const { fields } = ORDERS[stretch.order];
    const parts = await Promise.all(fields.map((field) => this.nextBy(field, stretch, limit)));
    return merged(parts, stretch.order).slice(0, limit);
  }

  /** How many have not ended and are due in this time; up to `limit`. */
  countDue(ws: string | undefined, { from = EARLIEST, before }: DueTime, limit?: number): Promise<number> {
    return this.count(ws, { ...OPEN_FILTER, dueBy: { $gte: from, ...(before && { $lt: before }) } }, limit);
  }

  /**
   * How many of these have not ended, by status; up to `limit`. `atRisk`: those alone that are at risk or overdue by then, or
   * only after; `received`: those alone of this time.
   */
  countOpen(
    ws: string | undefined,
    { status, atRisk, received }: LateState | AgedState,
    limit?: number,
  ): Promise<number> {
    const of = {
      status,
      ...(atRisk && { atRiskAt: 'by' in atRisk ? { $lte: atRisk.by } : { $gt: atRisk.after } }),
      ...(received && { receivedAt: { $gte: received.from ?? EARLIEST, $lt: received.before ?? LATEST } }),
    };
    return this.count(ws, of, limit);
  }

  /** How many were received, completed or cancelled in this time; up to `limit`. */
  countDated(ws: string | undefined, { field, from, before }: DatedTime, limit?: number): Promise<number> {
    return this.count(ws, { [field]: { $gte: from, $lt: before } }, limit);
  }

  /** How many have a failing callback; up to `limit`. */
  countFailing(ws: string | undefined, limit: number): Promise<number> {
    return this.count(ws, { callbacksFailing: true }, limit);
  }

  private count(ws: string | undefined, of: object, limit: number | undefined): Promise<number> {
    const filter = { ...(ws !== undefined && { ws }), ...of };
    return this.requests.countDocuments(filter, limit === undefined ? {} : { limit });
  }

  private async nextBy(field: DatedField, { after, ...stretch }: Stretch, limit: number) {
    const { past } = ORDERS[stretch.order];
    const find = (dates: object, most: number): Promise<readonly ListedRequest[]> => {
      const [filter, sort] = [{ ...fixedOf(stretch), ...dates }, sortOf(field, stretch.order)];
      return this.requests.find(filter, { sort, limit: most, projection: SHOWN }).toArray();
    };
    const all = range(stretch);
    if (!after) return find({ [field]: all }, limit);
    // Many share a date: the rest of that date comes first.
    const sameDate = await find({ [field]: after.at, _id: { [past]: after.id } }, limit);
    if (sameDate.length >= limit) return sameDate;
    return [...sameDate, ...(await find({ [field]: { ...all, [past]: after.at } }, limit - sameDate.length))];
  }
}

interface LateState {
  readonly status: OpenStatus;
  readonly atRisk: { readonly by: Date } | { readonly after: Date };
  readonly received?: never;
}

interface AgedState extends Pick<LateState, 'status'> {
  readonly atRisk?: never;
  readonly received: { readonly from?: Date | undefined; readonly before?: Date | undefined };
}

interface DueTime {
  readonly from?: Date;
  readonly before?: Date;
}

interface DatedTime {
  readonly field: 'receivedAt' | 'completedAt' | 'cancelledAt';
  readonly from: Date;
  readonly before: Date;
}

/** By which dates each order is: one index of each. */
const ORDERS = {
  received: { fields: ['receivedAt'], past: '$lt' },
  due: { fields: ['dueBy'], past: '$gt' },
  ended: { fields: ['completedAt', 'cancelledAt'], past: '$lt' },
} as const;
type DatedField = (typeof ORDERS)[ListOrder]['fields'][number];

const sortOf = (field: DatedField, order: ListOrder): Record<string, 1 | -1> => {
  const turn = order === 'due' ? 1 : -1;
  return { [field]: turn, _id: turn };
};

type Fixed = Pick<Stretch, 'ws' | 'order' | 'status' | 'isFailing'>;

/** What an index holds before the dates. */
const fixedOf = ({ ws, order, status, isFailing }: Fixed) => ({
  ...(ws !== undefined && { ws }),
  ...(order === 'due' && OPEN_FILTER),
  ...(status !== undefined && { status }),
  ...(isFailing && ({ callbacksFailing: true } as const)),
});

const range = ({ from = EARLIEST, to = LATEST }: Pick<Stretch, 'from' | 'to'>) => ({ $gte: from, $lte: to });
