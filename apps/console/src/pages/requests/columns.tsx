import { Label } from '@patternfly/react-core';
import { useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { timeColumn } from '../../lists/time-column';
import { LegalLabel, StatusLabel, type RequestSummary } from '../../requests/labels';
import { requestColumn } from '../../requests/request-column';
import { requestWords } from '../../requests/texts';
import { requestsTexts } from './texts';

/** What the list of requests shows, and its export holds. Times of an export are RFC 3339 in UTC. */
export function useRequestColumns(): readonly Column<RequestSummary>[] {
  const { columns: titles, callbacks } = useTexts(requestsTexts);
  const words = useTexts(requestWords);
  return [
    requestColumn('id', titles.id),
    {
      name: 'status',
      title: titles.status,
      text: (row) => words.status[row.request_status],
      cell: (row) => <StatusLabel status={row.request_status} />,
    },
    {
      name: 'legal',
      title: titles.legal,
      text: (row) => (row.legal_state === null ? '' : words.legal[row.legal_state]),
      cell: (row) => <LegalLabel state={row.legal_state} />,
    },
    timeColumn('due', titles.due, (row) => row.legal_due_time),
    {
      name: 'callbacks',
      title: titles.callbacks,
      text: (row) => (row.callbacks_failing ? callbacks.failing : ''),
      cell: (row) =>
        row.callbacks_failing ? (
          <Label variant="outline" isCompact status="warning">
            {callbacks.failing}
          </Label>
        ) : (
          '–'
        ),
    },
    { name: 'workspace', title: titles.workspace, text: (row) => row.workspace },
    { name: 'controller', title: titles.controller, text: (row) => row.controller_id },
    { name: 'type', title: titles.type, text: (row) => words.type[row.subject_request_type] },
    timeColumn('received', titles.received, (row) => row.received_time),
    timeColumn('ended', titles.ended, (row) => row.ended_time),
    {
      name: 'regulation',
      title: titles.regulation,
      text: (row) => (row.regulation === null ? '' : words.regulation[row.regulation]),
    },
  ];
}
