import { Link } from 'react-router';
import { useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { timeColumn } from '../../lists/time-column';
import { requestPath } from '../../requests/request-path';
import type { WaitingRequest } from './destination';
import { destinationTexts } from './texts';

/** What waits for a host: a line for each request and URL. */
export function useWaitingColumns(workspace: string): readonly Column<WaitingRequest>[] {
  const t = useTexts(destinationTexts);
  const titles = t.request;
  return [
    {
      name: 'request',
      title: titles.id,
      text: (row) => row.subject_request_id,
      cell: ({ subject_request_id: id }) => (
        <Link className="console-id" to={requestPath(workspace, id)}>
          {id}
        </Link>
      ),
    },
    { name: 'destination', title: titles.destination, text: (row) => row.destination },
    { name: 'callbacks', title: titles.callbacks, text: (row) => String(row.callbacks) },
    timeColumn('since', titles.since, (row) => row.undelivered_since),
    timeColumn('next', titles.next, (row) => row.next_attempt_time),
    { name: 'attempts', title: titles.attempts, text: (row) => String(row.failed_attempts) },
    timeColumn('failing', titles.failing, (row) => row.failing_since),
    { name: 'postponed', title: titles.postponed, text: (row) => (row.postponed ? t.yes : t.no) },
  ];
}
