/** The filters of the list of requests, as its address names them: those of the API. */
export const REQUEST_FILTERS = [
  ...(['id', 'workspace', 'controller', 'group', 'status', 'type', 'regulation'] as const),
  ...(['received_from', 'received_to', 'received_within', 'older_than', 'ended_within'] as const),
  ...(['overdue', 'due_within', 'legal_state', 'callbacks', 'order'] as const),
] as const;

export type RequestFilters = Readonly<Partial<Record<(typeof REQUEST_FILTERS)[number], string>>>;

/** One choice of the filter "due" stands for two parameters, of which one may be given. */
export const dueOf = ({ overdue, due_within }: RequestFilters): string | undefined =>
  overdue === 'true' ? 'overdue' : due_within;

/** A list by legal dates has another order than one by ends: what does not go with a choice is taken away with it. */
const NO_DUE_TIME = { overdue: undefined, due_within: undefined } as const;
const NO_DUE = { ...NO_DUE_TIME, legal_state: undefined } as const;
const NO_OTHER_ORDER = { order: undefined, ended_within: undefined } as const;

const isOfEnded = (state: string | undefined): boolean => state === 'kept' || state === 'missed';
/** Whether the legal date was kept is asked of what has ended; all other states are of what has not. */
const noState = ({ legal_state: state }: RequestFilters, of: 'ended' | 'open') =>
  isOfEnded(state) === (of === 'ended') ? { legal_state: undefined } : {};

/** The parameters of a choice of the filter "due". */
export function filtersOfDue(due: string | undefined, filters: RequestFilters) {
  if (due === undefined) return NO_DUE_TIME;
  return due === 'overdue'
    ? { ...NO_OTHER_ORDER, ...NO_DUE, overdue: 'true' }
    : { ...NO_OTHER_ORDER, ...noState(filters, 'ended'), overdue: undefined, due_within: due };
}

export function filtersOfLegalState(state: string | undefined) {
  if (state === undefined) return { legal_state: state };
  return isOfEnded(state)
    ? { ...NO_DUE, order: undefined, legal_state: state }
    : { ...NO_OTHER_ORDER, overdue: undefined, legal_state: state };
}

export const filtersOfEnded = (ended: string | undefined, filters: RequestFilters) =>
  ended === undefined
    ? { ended_within: ended }
    : { ...NO_DUE_TIME, ...noState(filters, 'open'), ...NO_OTHER_ORDER, ended_within: ended };

export function filtersOfOrder(order: string | undefined, filters: RequestFilters) {
  if (order === 'ended') return { ...NO_DUE_TIME, ...noState(filters, 'open'), order };
  if (order === 'due') return { ...noState(filters, 'ended'), ...NO_OTHER_ORDER, order };
  return order === undefined ? { order } : { ...NO_DUE, ...NO_OTHER_ORDER, order };
}

/** What is overdue is a choice of the filter "due". */
export const LISTED_STATES = ['at_risk', 'on_track', 'kept', 'missed'] as const;

const OVER = 'over ';

/** One choice of the filter "received": within a time, or longer ago. */
export const ageOf = ({ received_within: within, older_than: over }: RequestFilters): string | undefined =>
  within ?? (over === undefined ? undefined : `${OVER}${over}`);

/** The parameters of such a choice, without those that do not go with it. */
export function filtersOfAge(age: string | undefined) {
  const isOver = age?.startsWith(OVER) === true;
  const none = { received_within: undefined, older_than: undefined, received_from: undefined, received_to: undefined };
  if (age === undefined) return { received_within: undefined, older_than: undefined };
  return isOver ? { ...none, older_than: age.slice(OVER.length) } : { ...none, received_within: age };
}
