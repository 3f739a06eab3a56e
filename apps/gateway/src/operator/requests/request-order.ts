import type { Place } from '../lists/cursor';
import type { ListOrder } from './list-order';
import type { ListedRequest } from './list-query';

const DATES = {
  received: ({ receivedAt }: ListedRequest) => receivedAt,
  due: ({ dueBy, receivedAt }: ListedRequest) => dueBy ?? receivedAt,
  ended: ({ completedAt, cancelledAt, receivedAt }: ListedRequest) => completedAt ?? cancelledAt ?? receivedAt,
} as const satisfies Record<ListOrder, (request: ListedRequest) => Date>;

/** Where a request stands in an order. */
export const placeOf = (request: ListedRequest, order: ListOrder): Place => ({
  ...{ at: DATES[order](request), id: request._id },
});

/** The requests of several lists of this order, in the same order. */
export function merged(parts: readonly (readonly ListedRequest[])[], order: ListOrder): readonly ListedRequest[] {
  if (parts.length === 1) return parts[0] ?? [];
  const turn = order === 'due' ? 1 : -1;
  const compare = (a: ListedRequest, b: ListedRequest): number =>
    DATES[order](a).getTime() - DATES[order](b).getTime() || (a._id < b._id ? -1 : 1);
  return parts.flat().sort((a, b) => turn * compare(a, b));
}
