import { OPEN_STATUSES } from '@opendsr-service/contracts';
import type { RequestDocument } from './request.document';

/** Filter clauses for what holds a key beside the outbox; each of them only ever goes away. */
export const HOLDS_KEY = [
  { status: { $in: [...OPEN_STATUSES] } },
  { 'openDestinations.0': { $exists: true } },
] as const;

export type KeyHolder = Pick<RequestDocument, 'status' | 'outbox' | 'openDestinations' | 'completedAt' | 'cancelledAt'>;

/** Undefined: the request has not ended, or something still needs its key. */
export function keyFreeSince(request: KeyHolder): Date | undefined {
  const isHeld = request.outbox.length > 0 || request.openDestinations.length > 0;
  if (isHeld) return undefined;
  return request.status === 'completed'
    ? request.completedAt
    : request.status === 'cancelled'
      ? request.cancelledAt
      : undefined;
}

export const earlier = (at: Date, by: Date | undefined): Date => (by !== undefined && by < at ? by : at);

export const keyDueAt = (end: Date, keepMs: number, by?: Date): Date => earlier(new Date(end.getTime() + keepMs), by);

/** Claims change `keyDueAt` only. */
export const keyDueFields = (at: Date): Required<Pick<RequestDocument, 'keyDueAt' | 'keyDueSince'>> => ({
  keyDueAt: at,
  keyDueSince: at,
});
