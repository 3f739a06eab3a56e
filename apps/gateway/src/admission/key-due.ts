import type { RequestDocument } from './request.document';

/** Destinations of callbacks that still need the request's key. */
export const openDestinationsOf = ({
  openDestinations,
  sealed,
}: Pick<RequestDocument, 'openDestinations' | 'sealed'>): readonly string[] =>
  openDestinations ?? sealed?.callbacks.map(({ destination }) => destination) ?? [];

/** What holds the key of a request beside its outbox, as clauses of a filter: each of them only ever goes away. */
export const HOLDS_KEY = [
  { status: { $in: ['pending', 'in_progress'] } },
  { 'openDestinations.0': { $exists: true } },
  { openDestinations: { $exists: false }, 'sealed.callbacks.0': { $exists: true } },
] as const;

export type KeyHolder = Pick<
  RequestDocument,
  'status' | 'outbox' | 'openDestinations' | 'sealed' | 'completedAt' | 'cancelledAt'
>;

/** When a request ended; undefined: it has not, or something still needs its key. */
export function keyFreeSince(request: KeyHolder): Date | undefined {
  const isHeld = request.outbox.length > 0 || openDestinationsOf(request).length > 0;
  if (isHeld) return undefined;
  return request.status === 'completed'
    ? request.completedAt
    : request.status === 'cancelled'
      ? request.cancelledAt
      : undefined;
}

/** The earlier of two times, of which the second may be none. */
export const earlier = (at: Date, by: Date | undefined): Date => (by !== undefined && by < at ? by : at);

/** When the key of a request that ended may be destroyed; `by`: when at the latest. */
export const keyDueAt = (end: Date, keepMs: number, by?: Date): Date => earlier(new Date(end.getTime() + keepMs), by);

/** What is noted of that time: one that claims put off, and one that stands. */
export const keyDueFields = (at: Date): Required<Pick<RequestDocument, 'keyDueAt' | 'keyDueSince'>> => ({
  keyDueAt: at,
  keyDueSince: at,
});
