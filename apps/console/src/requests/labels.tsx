import { Label } from '@patternfly/react-core';
import type { components } from '../api/operator';
import { useTexts } from '../language/language-context';
import { requestWords } from './texts';

export type RequestSummary = components['schemas']['OperatorRequest'];

const STATUS = { pending: 'info', in_progress: 'custom', completed: 'success', cancelled: undefined } as const;
const LEGAL = { on_track: 'success', at_risk: 'warning', overdue: 'danger' } as const;

/** The status of a request: by its word and its icon, not by colour alone. */
export function StatusLabel({ status }: { readonly status: RequestSummary['request_status'] }) {
  const words = useTexts(requestWords);
  return (
    <Label variant="outline" isCompact status={STATUS[status]}>
      {words.status[status]}
    </Label>
  );
}

/** How a request stands to its legal date; nothing once it has ended. */
export function LegalLabel({ state }: { readonly state: RequestSummary['legal_state'] }) {
  const words = useTexts(requestWords);
  if (state === null) return <>–</>;
  return (
    <Label variant="outline" isCompact status={LEGAL[state]}>
      {words.legal[state]}
    </Label>
  );
}
