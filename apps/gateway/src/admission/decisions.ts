import type { RequestCommand } from '@opendsr-service/contracts';
import type { RequestDocument } from './request.document';

interface DecisionChange {
  readonly set: Pick<RequestDocument, 'status' | 'seq' | 'startedAt' | 'cancelledAt' | 'completedAt'>;
  readonly unset: readonly ('startAt' | 'fingerprint')[];
}

type Decision = Exclude<RequestCommand['type'], 'SubmitRequest'>;

/**
 * What each decision changes in an admission. The store writes it as one update; a replay applies it to the document.
 */
export const DECISIONS: Readonly<Record<Decision, (at: Date) => DecisionChange>> = {
  StartRequest: (at) => ({ set: { status: 'in_progress', seq: 2, startedAt: at }, unset: ['startAt'] }),
  CancelRequest: (at) => ({ set: { status: 'cancelled', seq: 2, cancelledAt: at }, unset: ['startAt', 'fingerprint'] }),
  CompleteRequest: (at) => ({
    set: { status: 'completed', seq: 3, completedAt: at },
    unset: ['startAt', 'fingerprint'],
  }),
};
