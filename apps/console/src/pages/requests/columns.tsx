import { useTexts } from '../../language/language-context';
import { stateColumn, timeColumn, type Column } from '../../lists/column';
import { StateLabel } from '../../parts/state-label';
import { LegalLabel, STATUS_LOOKS, type RequestSummary } from '../../requests/labels';
import { requestColumn } from '../../requests/request-column';
import { requestWords } from '../../requests/texts';
import { requestsTexts } from './texts';

/** What the list of requests shows, and its export holds. Times of an export are RFC 3339 in UTC. */
export function useRequestColumns(): readonly Column<RequestSummary>[] {
  const { columns: titles, callbacks } = useTexts(requestsTexts);
  const words = useTexts(requestWords);
  return [
    requestColumn(titles.id),
    stateColumn(titles.status, (row) => row.request_status, words.status, STATUS_LOOKS),
    {
      title: titles.legal,
      text: (row) => (row.legal_state === null ? '' : words.legal[row.legal_state]),
      cell: (row) => <LegalLabel state={row.legal_state} />,
    },
    timeColumn(titles.due, (row) => row.legal_due_time),
    {
      title: titles.callbacks,
      text: (row) => (row.callbacks_failing ? callbacks.failing : ''),
      cell: (row) => (row.callbacks_failing ? <StateLabel status="warning">{callbacks.failing}</StateLabel> : '–'),
    },
    { title: titles.workspace, text: (row) => row.workspace },
    { title: titles.controller, text: (row) => row.controller_id },
    { title: titles.type, text: (row) => words.type[row.subject_request_type] },
    timeColumn(titles.received, (row) => row.received_time),
    timeColumn(titles.ended, (row) => row.ended_time),
    {
      title: titles.regulation,
      text: (row) => (row.regulation === null ? '' : words.regulation[row.regulation]),
    },
  ];
}
