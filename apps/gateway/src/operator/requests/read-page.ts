import type { Place } from '../lists/cursor';
import { isOpen, legalState } from './legal-state';
import type { ListedRequest, ListQuery } from './list-query';
import type { Stretch } from './listed-requests.store';
import { MergedRequests, type ReadNext } from './merged-requests';
import { placeOf } from './request-order';

/** A page of a list. `next` is absent where the list ends. */
export interface Page {
  readonly requests: readonly ListedRequest[];
  readonly next: Place | undefined;
}

const NEVER = new Date(NaN);

/** A page is returned short, with its `next`, once it has read so many requests that other filters refuse. */
export const MOST_READ = 5_000;
const BATCH = 500;
/** Requests of more workspaces than this are found among those of all. */
export const MOST_APART = BATCH;

/** Reads the next page of requests of some workspaces, in one order. `undefined` stands for all workspaces. */
export async function readPage(
  workspaces: readonly (string | undefined)[],
  query: ListQuery,
  readNext: ReadNext,
): Promise<Page> {
  const { apart, isAmong, batch } = sourceOf(workspaces, query);
  const stretch = { order: query.order, ...boundsOf(query), ...indexedOf(query), after: query.after };
  const read = new MergedRequests(apart, { stretch, readNext, batch, most: MOST_READ });
  const requests: ListedRequest[] = [];
  let { after } = query;
  for (let next = await read.next(); next?.length !== 0; next = await read.next()) {
    if (!next) return { requests, next: after };
    for (const request of next) {
      after = placeOf(request, query.order);
      if (isAmong(request) && fits(query, request)) requests.push(request);
      if (requests.length === query.limit) return { requests, next: after };
    }
  }
  return { requests, next: undefined };
}

interface Source {
  /** What is read apart. */
  readonly apart: readonly (string | undefined)[];
  readonly isAmong: (request: ListedRequest) => boolean;
  readonly batch: number;
}

function sourceOf(workspaces: readonly (string | undefined)[], query: ListQuery): Source {
  if (workspaces.length <= MOST_APART)
    return { apart: workspaces, isAmong: () => true, batch: isFiltered(query) ? BATCH : query.limit };
  const among = new Set(workspaces);
  return { apart: [undefined], isAmong: ({ ws }) => among.has(ws), batch: BATCH };
}

/** Whether a request fits all filters. */
export const fits = (query: ListQuery, request: ListedRequest): boolean =>
  isNamed(query, request) &&
  is(query.status, request.status) &&
  is(query.type, request.type) &&
  is(query.regulation, request.countedBy ?? request.regulation) &&
  (!query.isFailing || request.callbacksFailing === true) &&
  isReceivedWithin(query, request) &&
  isEndedSince(query, request) &&
  standsSo(query, request);

const isNamed = ({ id, controller }: ListQuery, { srid, controllerId }: ListedRequest): boolean =>
  is(id, srid) && is(controller, controllerId);

const isReceivedWithin = ({ receivedFrom, receivedTo }: ListQuery, { receivedAt }: ListedRequest): boolean =>
  (receivedFrom === undefined || receivedAt >= receivedFrom) && (receivedTo === undefined || receivedAt <= receivedTo);

const isEndedSince = ({ endedFrom }: ListQuery, { completedAt, cancelledAt }: ListedRequest): boolean =>
  endedFrom === undefined || (completedAt ?? cancelledAt ?? NEVER) >= endedFrom;

/** To its legal date. */
const standsSo = (query: ListQuery, request: ListedRequest): boolean =>
  isDue(query, request) && isInState(query, request);

function isDue({ dueFrom, dueBy }: ListQuery, request: ListedRequest): boolean {
  if (dueFrom === undefined && dueBy === undefined) return true;
  if (!isOpen(request) || request.dueBy === undefined) return false;
  return !(dueFrom && request.dueBy < dueFrom) && !(dueBy && request.dueBy > dueBy);
}

const isInState = ({ legal }: ListQuery, request: ListedRequest): boolean =>
  legal === undefined || legalState(request, legal.at) === legal.state;

const is = (wanted: string | undefined, value: string | undefined): boolean => wanted === undefined || wanted === value;

/** Whether filters may refuse what the order returns. */
function isFiltered(query: ListQuery): boolean {
  const { type, regulation, receivedFrom, receivedTo } = query;
  if (type !== undefined || regulation !== undefined || query.legal !== undefined) return true;
  const { status, isFailing } = indexedOf(query);
  if (status !== query.status || isFailing !== query.isFailing) return true;
  return query.order !== 'received' && (receivedFrom !== undefined || receivedTo !== undefined);
}

/** The filter that an index of the order holds as well: one of them, and only in the order of receipt. */
function indexedOf({ order, status, isFailing }: ListQuery): Pick<Stretch, 'status' | 'isFailing'> {
  if (order !== 'received') return { status: undefined, isFailing: false };
  return { status: isFailing ? undefined : status, isFailing };
}

function boundsOf({ order, ...query }: ListQuery): Pick<Stretch, 'from' | 'to'> {
  if (order === 'received') return { from: query.receivedFrom, to: query.receivedTo };
  return order === 'due' ? { from: query.dueFrom, to: query.dueBy } : { from: query.endedFrom, to: undefined };
}
