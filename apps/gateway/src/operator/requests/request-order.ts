import type { Place } from '../lists/cursor';
import type { ListedRequest, ListOrder } from './list-query';

const DATES = {
  received: ({ receivedAt }: ListedRequest) => receivedAt,
  due: ({ dueBy, receivedAt }: ListedRequest) => dueBy ?? receivedAt,
  ended: ({ completedAt, cancelledAt, receivedAt }: ListedRequest) => completedAt ?? cancelledAt ?? receivedAt,
} as const satisfies Record<ListOrder, (request: ListedRequest) => Date>;

/** Where a request stands in an order. */
export const placeOf = (request: ListedRequest, order: ListOrder): Place => ({
  ...{ at: DATES[order](request), id: request._id },
});

/** For `sort`. */
function compare(order: ListOrder, one: Place, other: Place): number {
  const turn = order === 'due' ? 1 : -1;
  const byId = one.id < other.id ? -1 : Number(one.id > other.id);
  return turn * (one.at.getTime() - other.at.getTime() || byId);
}

/** Whether this place comes after the other one. */
export const isBehind = (one: Place, other: Place, order: ListOrder): boolean => compare(order, one, other) > 0;

const sorted = (requests: ListedRequest[], order: ListOrder): ListedRequest[] =>
  requests.sort((a, b) => compare(order, placeOf(a, order), placeOf(b, order)));

/** The requests of several lists of this order, in the same order. */
export const merged = (parts: readonly (readonly ListedRequest[])[], order: ListOrder): readonly ListedRequest[] =>
  parts.length === 1 ? (parts[0] ?? []) : sorted(parts.flat(), order);

/** Those that stand behind a place, in this order; without a place all. */
export function behind(after: Place | undefined, requests: readonly ListedRequest[], order: ListOrder) {
  const wanted = requests.filter((one) => after === undefined || isBehind(placeOf(one, order), after, order));
  return sorted(wanted, order);
}
