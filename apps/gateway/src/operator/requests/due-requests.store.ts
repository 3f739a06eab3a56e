import type { Connection } from 'mongoose';
import type { Place } from '../lists/cursor';
import type { ListedRequest } from './list-query';
import { ListedRequestsStore } from './listed-requests.store';
import { placeOf } from './request-order';

const PAGE = 500;

/** Of a workspace, and not due later than `until`. */
interface DueFilter {
  readonly ws?: string;
  readonly until?: Date;
}

type DueRequest = ListedRequest & Required<Pick<ListedRequest, 'dueBy'>>;

const isDue = (request: ListedRequest): request is DueRequest => request.dueBy !== undefined;

/** Requests that have not ended, the earliest legal date first, page by page (decision 24). */
export async function* dueRequests(
  connection: Connection,
  { ws, until }: DueFilter,
  page = PAGE,
): AsyncGenerator<readonly DueRequest[]> {
  const listed = new ListedRequestsStore(connection);
  const stretch = { ws, order: 'due', status: undefined, isFailing: false, from: undefined, to: until } as const;
  for (let after: Place | undefined; ;) {
    const found = (await listed.next({ ...stretch, after }, page)).filter(isDue);
    const last = found.at(-1);
    if (!last) return;
    yield found;
    after = placeOf(last, 'due');
  }
}
