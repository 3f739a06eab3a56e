import { useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { idColumn } from '../../lists/id-column';
import { timeColumn } from '../../lists/time-column';
import { requestPath } from '../../requests/request-path';
import type { WaitingRequest } from './destination';
import { destinationTexts } from './texts';

/** What waits for a host: a line for each request and URL. */
export function useWaitingColumns(workspace: string): readonly Column<WaitingRequest>[] {
  const t = useTexts(destinationTexts);
  const titles = t.request;
  return [
    idColumn('request', titles.id, {
      id: (row) => row.subject_request_id,
      path: ({ subject_request_id: id }) => requestPath(workspace, id),
    }),
    { name: 'destination', title: titles.destination, text: (row) => row.destination },
    { name: 'callbacks', title: titles.callbacks, text: (row) => String(row.callbacks) },
    timeColumn('since', titles.since, (row) => row.undelivered_since),
    timeColumn('next', titles.next, (row) => row.next_attempt_time),
    { name: 'attempts', title: titles.attempts, text: (row) => String(row.failed_attempts) },
    timeColumn('failing', titles.failing, (row) => row.failing_since),
    { name: 'postponed', title: titles.postponed, text: (row) => (row.postponed ? t.yes : t.no) },
  ];
}
