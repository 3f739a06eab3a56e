import type { Place } from '../lists/cursor';
import type { ListOrder } from './list-order';
import type { ListedRequest, ListQuery } from './list-query';
import type { Stretch } from './listed-requests.store';

/** A page of a list. `next` is absent where the list ends. */
export interface Page {
  readonly requests: readonly ListedRequest[];
  readonly next: Place | undefined;
}

type ReadNext = (stretch: Stretch, limit: number) => Promise<readonly ListedRequest[]>;

/** A page is returned short, with its `next`, once it has read so many requests that other filters refuse. */
export const MOST_READ = 5_000;
const BATCH = 500;

/** Reads the next page of requests of some workspaces, in one order. `undefined` stands for all workspaces. */
export async function readPage(
  workspaces: readonly (string | undefined)[],
  query: ListQuery,
  readNext: ReadNext,
): Promise<Page> {
  const requests: ListedRequest[] = [];
  const bounds = boundsOf(query);
  const batch = isFiltered(query) ? BATCH : query.limit;
  let after = query.after;
  for (let read = 0; read < MOST_READ;) {
    const parts = await Promise.all(
      workspaces.map((ws) => readNext({ ws, order: query.order, ...bounds, after }, batch)),
    );
    const next = merged(parts, query.order).slice(0, batch);
    for (const request of next) {
      after = placeOf(request, query.order);
      if (fits(query, request)) requests.push(request);
      if (requests.length === query.limit) return { requests, next: after };
    }
    if (next.length < batch) return { requests, next: undefined };
    read += next.length;
  }
  return { requests, next: after };
}

/** Whether a request fits all filters. */
export const fits = (query: ListQuery, request: ListedRequest): boolean =>
  is(query.status, request.status) &&
  is(query.type, request.type) &&
  is(query.regulation, request.countedBy ?? request.regulation) &&
  is(query.controller, request.controllerId) &&
  isReceivedWithin(query, request) &&
  isDue(query, request);

const isReceivedWithin = ({ receivedFrom, receivedTo }: ListQuery, { receivedAt }: ListedRequest): boolean =>
  (receivedFrom === undefined || receivedAt >= receivedFrom) && (receivedTo === undefined || receivedAt <= receivedTo);

const isDue = ({ dueBy }: ListQuery, request: ListedRequest): boolean =>
  dueBy === undefined || (isOpen(request) && request.dueBy !== undefined && request.dueBy <= dueBy);

export const isOpen = ({ status }: Pick<ListedRequest, 'status'>): boolean =>
  status === 'pending' || status === 'in_progress';

const is = (wanted: string | undefined, value: string | undefined): boolean => wanted === undefined || wanted === value;

/** Whether filters may refuse what the order returns. */
const isFiltered = ({ status, type, regulation, order, receivedFrom, receivedTo }: ListQuery): boolean =>
  [status, type, regulation].some((one) => one !== undefined) ||
  (order === 'due' && (receivedFrom !== undefined || receivedTo !== undefined));

const boundsOf = ({ order, receivedFrom, receivedTo, dueBy }: ListQuery): Pick<Stretch, 'from' | 'to'> =>
  order === 'received' ? { from: receivedFrom, to: receivedTo } : { from: undefined, to: dueBy };

const dateOf = ({ receivedAt, dueBy }: ListedRequest, order: ListOrder): Date =>
  order === 'received' ? receivedAt : (dueBy ?? receivedAt);

const placeOf = (request: ListedRequest, order: ListOrder): Place => ({ at: dateOf(request, order), id: request._id });

function merged(parts: readonly (readonly ListedRequest[])[], order: ListOrder): readonly ListedRequest[] {
  if (parts.length === 1) return parts[0] ?? [];
  const turn = order === 'received' ? -1 : 1;
  const compare = (a: ListedRequest, b: ListedRequest): number =>
    dateOf(a, order).getTime() - dateOf(b, order).getTime() || (a._id < b._id ? -1 : 1);
  return parts.flat().sort((a, b) => turn * compare(a, b));
}
