import { ENDED_STATUSES } from '@opendsr-service/contracts';
import type { RequestDocument } from '../../admission/request.document';

type Dated = Pick<RequestDocument, 'status' | 'dueBy' | 'atRiskAt'>;

export const LEGAL_STATES = ['on_track', 'at_risk', 'overdue'] as const;
export type LegalState = (typeof LEGAL_STATES)[number];

export const isOpen = ({ status }: Pick<Dated, 'status'>): boolean => !ENDED_STATUSES.includes(status);

/** How a request stands to its legal date; undefined where it has none, or has ended. */
export function legalState(request: Dated, now: Date): LegalState | undefined {
  const { dueBy, atRiskAt } = request;
  if (!isOpen(request) || !dueBy) return undefined;
  if (dueBy < now) return 'overdue';
  return atRiskAt && atRiskAt <= now ? 'at_risk' : 'on_track';
}
