import type { RequestCommand } from '@opendsr-service/contracts';
import type { RequestDocument } from './request.document';

interface DecisionChange {
  readonly set: Pick<RequestDocument, 'status' | 'seq' | 'startedAt' | 'cancelledAt' | 'completedAt'>;
  readonly unset: readonly ('startAt' | 'fingerprint')[];
}

type Decision = Exclude<RequestCommand['type'], 'SubmitRequest' | 'ExtendDeadline'>;

/**
 * What a decision changes in an admission, by its time and number. The store writes it as one update; a replay applies it to the
 * document.
 */
export const DECISIONS: Readonly<Record<Decision, (at: Date, seq: number) => DecisionChange>> = {
  StartRequest: (at, seq) => ({ set: { status: 'in_progress', seq, startedAt: at }, unset: ['startAt'] }),
  CancelRequest: (at, seq) => ({
    set: { status: 'cancelled', seq, cancelledAt: at },
    unset: ['startAt', 'fingerprint'],
  }),
  CompleteRequest: (at, seq) => ({
    set: { status: 'completed', seq, completedAt: at },
    unset: ['startAt', 'fingerprint'],
  }),
};
