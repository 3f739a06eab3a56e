import { ENDED_STATUSES } from '@opendsr-service/contracts';
import type { RequestDocument } from '../../admission/request.document';

type Dated = Pick<RequestDocument, 'status' | 'dueBy' | 'atRiskAt' | 'completedAt' | 'cancelledAt'>;

/** Of requests that have ended. */
const ENDED_STATES = ['kept', 'missed'] as const;
export const LEGAL_STATES = ['on_track', 'at_risk', 'overdue', ...ENDED_STATES] as const;
export type LegalState = (typeof LEGAL_STATES)[number];

export const isOpen = ({ status }: Pick<Dated, 'status'>): boolean => !ENDED_STATUSES.includes(status);

export const isEndedState = (state: LegalState | undefined): boolean => ENDED_STATES.some((one) => one === state);

export const isOpenState = (state: LegalState | undefined): boolean => state !== undefined && !isEndedState(state);

/** How a request stands to its legal date, or whether it ended by then; undefined where it has none. */
export function legalState(request: Dated, now: Date): LegalState | undefined {
  const { dueBy, atRiskAt } = request;
  if (!dueBy) return undefined;
  if (!isOpen(request)) return endedState(request, dueBy);
  if (dueBy < now) return 'overdue';
  return atRiskAt && atRiskAt <= now ? 'at_risk' : 'on_track';
}

function endedState({ completedAt, cancelledAt }: Dated, dueBy: Date): LegalState | undefined {
  const endedAt = completedAt ?? cancelledAt;
  return endedAt && (endedAt <= dueBy ? 'kept' : 'missed');
}
