import { useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { idColumn } from '../../lists/id-column';
import { timeColumn } from '../../lists/time-column';
import { requestColumn } from '../../requests/request-column';
import { KindLabel } from './kind-label';
import { parkedPath, type ParkedRecord } from './parked-record';
import { parkedTexts } from './texts';

/** What the list of parked records shows, and its export holds. */
export function useParkedColumns(): readonly Column<ParkedRecord>[] {
  const t = useTexts(parkedTexts);
  const titles = t.columns;
  return [
    idColumn('id', titles.id, { id: (row) => row.id, path: parkedPath }),
    { name: 'service', title: titles.service, text: (row) => row.service },
    { name: 'reason', title: titles.reason, text: (row) => row.reason },
    timeColumn('since', titles.since, (row) => row.since),
    {
      name: 'kind',
      title: titles.kind,
      text: (row) => t.kind[row.kind],
      cell: (row) => <KindLabel kind={row.kind} />,
    },
    { name: 'type', title: titles.type, text: (row) => row.type ?? '' },
    requestColumn('request', titles.request),
    { name: 'workspace', title: titles.workspace, text: (row) => row.workspace ?? '' },
    idColumn('key', titles.key, { id: (row) => row.key }),
    { name: 'marked', title: titles.marked, text: (row) => (row.marked ? t.yes : t.no) },
  ];
}
