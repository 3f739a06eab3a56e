import type { RequestDocument } from '../requests/request.document';

/** Lanes of callbacks that still need the request's key. */
export const openLanes = ({ lanesOpen, sealed }: Pick<RequestDocument, 'lanesOpen' | 'sealed'>): readonly string[] =>
  lanesOpen ?? sealed?.callbacks.map(({ lane }) => lane) ?? [];

/** What holds the key of a request beside its outbox, as clauses of a filter: each of them only ever goes away. */
export const HOLDS_KEY = [
  { status: { $in: ['pending', 'in_progress'] } },
  { 'lanesOpen.0': { $exists: true } },
  { lanesOpen: { $exists: false }, 'sealed.callbacks.0': { $exists: true } },
] as const;

export type KeyHolding = Pick<RequestDocument, 'status' | 'outbox' | 'lanesOpen' | 'sealed' | 'completedAt' | 'cancelledAt'>;

/** When a request ended; undefined: it has not, or something still needs its key. */
export function endOf(request: KeyHolding): Date | undefined {
  const isHeld = request.outbox.length > 0 || openLanes(request).length > 0;
  if (isHeld) return undefined;
  return request.status === 'completed' ? request.completedAt : request.status === 'cancelled' ? request.cancelledAt : undefined;
}

/** When the key of a request that ended may be destroyed. */
export const keyDueAt = (end: Date, keepMs: number): Date => new Date(end.getTime() + keepMs);

/** What is noted of that time: one that claims put off, and one that stands. */
export const keyDue = (at: Date): Required<Pick<RequestDocument, 'keyDueAt' | 'keyDueSince'>> => ({ keyDueAt: at, keyDueSince: at });
