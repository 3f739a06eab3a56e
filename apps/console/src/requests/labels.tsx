import type { components } from '../api/operator';
import { useTexts } from '../language/language-context';
import { StateLabel } from '../parts/state-label';
import { requestWords } from './texts';

export type RequestSummary = components['schemas']['OperatorRequest'];

export const STATUS_LOOKS = {
  pending: 'info',
  in_progress: 'custom',
  completed: 'success',
  cancelled: undefined,
} as const;
const LEGAL_LOOKS = {
  on_track: 'success',
  at_risk: 'warning',
  overdue: 'danger',
  kept: undefined,
  missed: 'danger',
} as const;

/** The status of a request. */
export function StatusLabel({ status }: { readonly status: RequestSummary['request_status'] }) {
  const words = useTexts(requestWords);
  return <StateLabel status={STATUS_LOOKS[status]}>{words.status[status]}</StateLabel>;
}

/** How a request stands to its legal date, or whether that was kept. */
export function LegalLabel({ state }: { readonly state: RequestSummary['legal_state'] }) {
  const words = useTexts(requestWords);
  if (state === null) return <>–</>;
  return <StateLabel status={LEGAL_LOOKS[state]}>{words.legal[state]}</StateLabel>;
}
