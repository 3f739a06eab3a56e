import type { operations } from '../../api/operator';

type Query = NonNullable<operations['listOperatorRequests']['parameters']['query']>;

/** The filters of the list of requests, as its address names them: those of the API. */
export const REQUEST_FILTERS = [
  ...(['id', 'workspace', 'controller', 'group', 'status', 'type', 'regulation'] as const),
  ...(['received_from', 'received_to', 'received_within', 'older_than', 'ended_within'] as const),
  ...(['overdue', 'due_within', 'callbacks', 'order'] as const),
] as const;

export type RequestFilters = Readonly<Partial<Record<(typeof REQUEST_FILTERS)[number], string>>>;

/** What the API is asked for. It judges the values, and says what is wrong with one. */
export const queryOf = (filters: RequestFilters, cursor: string | undefined, limit: number): Query => ({
  ...(filters as Query),
  limit,
  ...(cursor !== undefined && { cursor }),
});

/** One choice of the filter "due" stands for two parameters, of which one may be given. */
export const dueOf = ({ overdue, due_within }: RequestFilters): string | undefined =>
  overdue === 'true' ? 'overdue' : due_within;
