import { useFormats, useTexts } from '../../language/language-context';
import { idColumn, stateColumn, timeColumn, type Column } from '../../lists/column';
import { destinationPath, isCountedOut, STATE_LOOKS, type Destination } from './destination';
import { destinationTexts } from './texts';

/** What the list of destinations shows, and its export holds. */
export function useDestinationColumns(): readonly Column<Destination>[] {
  const t = useTexts(destinationTexts);
  const { count } = useFormats();
  const titles = t.columns;
  return [
    idColumn(titles.host, { id: (row) => row.host, path: destinationPath }),
    stateColumn(titles.state, (row) => row.state, t.state, STATE_LOOKS),
    {
      title: titles.waiting,
      text: (row) => String(row.waiting),
      cell: ({ waiting }) => (isCountedOut(waiting) ? t.atLeast(count(waiting)) : count(waiting)),
    },
    { title: titles.outcome, text: (row) => t.outcome[row.last_attempt.outcome] },
    { title: titles.answer, text: ({ last_attempt: { http_status: status } }) => String(status ?? '') },
    timeColumn(titles.at, (row) => row.last_attempt.time),
    timeColumn(titles.delivered, (row) => row.last_delivered_time),
    timeColumn(titles.failing, (row) => row.failing_since),
    timeColumn(titles.paused, (row) => row.paused_until),
    timeColumn(titles.next, (row) => row.next_attempt_time),
    { title: titles.workspace, text: (row) => row.workspace },
  ];
}
