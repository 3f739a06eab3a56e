import { useTexts } from '../../language/language-context';
import { codeColumn, idColumn, stateColumn, timeColumn, type Column } from '../../lists/column';
import { requestColumn } from '../../requests/request-column';
import { KIND_LOOKS, parkedPath, type ParkedRecord } from './parked-record';
import { parkedTexts } from './texts';

/** What the list of parked records shows, and its export holds. */
export function useParkedColumns(): readonly Column<ParkedRecord>[] {
  const t = useTexts(parkedTexts);
  const titles = t.columns;
  return [
    idColumn(titles.id, { id: (row) => row.id, path: parkedPath }),
    { title: titles.service, text: (row) => row.service },
    codeColumn(titles.reason, (row) => row.reason),
    timeColumn(titles.since, (row) => row.since),
    stateColumn(titles.kind, (row) => row.kind, t.kind, KIND_LOOKS),
    { title: titles.type, text: (row) => row.type ?? '' },
    requestColumn(titles.request),
    { title: titles.workspace, text: (row) => row.workspace ?? '' },
    idColumn(titles.key, { id: (row) => row.key }),
    { title: titles.marked, text: (row) => (row.marked ? t.yes : t.no) },
  ];
}
