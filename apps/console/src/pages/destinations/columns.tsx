import { useFormats, useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { idColumn } from '../../lists/id-column';
import { timeColumn } from '../../lists/time-column';
import { destinationPath, isCountedOut, type Destination } from './destination';
import { StateLabel } from './state-label';
import { destinationTexts } from './texts';

/** What the list of destinations shows, and its export holds. */
export function useDestinationColumns(): readonly Column<Destination>[] {
  const t = useTexts(destinationTexts);
  const { count } = useFormats();
  const titles = t.columns;
  return [
    idColumn('host', titles.host, { id: (row) => row.host, path: destinationPath }),
    {
      name: 'state',
      title: titles.state,
      text: (row) => t.state[row.state],
      cell: (row) => <StateLabel state={row.state} />,
    },
    {
      name: 'waiting',
      title: titles.waiting,
      text: (row) => String(row.waiting),
      cell: ({ waiting }) => (isCountedOut(waiting) ? t.atLeast(count(waiting)) : count(waiting)),
    },
    { name: 'outcome', title: titles.outcome, text: (row) => t.outcome[row.last_attempt.outcome] },
    { name: 'answer', title: titles.answer, text: ({ last_attempt: { http_status: status } }) => String(status ?? '') },
    timeColumn('at', titles.at, (row) => row.last_attempt.time),
    timeColumn('delivered', titles.delivered, (row) => row.last_delivered_time),
    timeColumn('failing', titles.failing, (row) => row.failing_since),
    timeColumn('paused', titles.paused, (row) => row.paused_until),
    timeColumn('next', titles.next, (row) => row.next_attempt_time),
    { name: 'workspace', title: titles.workspace, text: (row) => row.workspace },
  ];
}
