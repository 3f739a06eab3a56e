import { useTexts } from '../../language/language-context';
import { idColumn, timeColumn, type Column } from '../../lists/column';
import { requestPath } from '../../requests/request-path';
import type { WaitingRequest } from './destination';
import { destinationTexts } from './texts';

/** What waits for a host: a line for each request and URL. */
export function useWaitingColumns(workspace: string): readonly Column<WaitingRequest>[] {
  const t = useTexts(destinationTexts);
  const titles = t.request;
  return [
    idColumn(titles.id, {
      id: (row) => row.subject_request_id,
      path: ({ subject_request_id: id }) => requestPath(workspace, id),
    }),
    { title: titles.destination, text: (row) => row.destination },
    { title: titles.callbacks, text: (row) => String(row.callbacks) },
    timeColumn(titles.since, (row) => row.undelivered_since),
    timeColumn(titles.next, (row) => row.next_attempt_time),
    { title: titles.attempts, text: (row) => String(row.failed_attempts) },
    timeColumn(titles.failing, (row) => row.failing_since),
    { title: titles.postponed, text: (row) => (row.postponed ? t.yes : t.no) },
  ];
}
