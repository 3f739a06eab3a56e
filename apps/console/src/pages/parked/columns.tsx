import { Link } from 'react-router';
import { useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { timeColumn } from '../../lists/time-column';
import { requestPath } from '../../requests/request-path';
import { KindLabel } from './kind-label';
import { parkedPath, type ParkedRecord } from './parked-record';
import { parkedTexts } from './texts';

/** What the list of parked records shows, and its export holds. */
export function useParkedColumns(): readonly Column<ParkedRecord>[] {
  const t = useTexts(parkedTexts);
  const titles = t.columns;
  return [
    {
      name: 'id',
      title: titles.id,
      text: (row) => row.id,
      cell: (row) => (
        <Link className="console-id" to={parkedPath(row)}>
          {row.id}
        </Link>
      ),
    },
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
    {
      name: 'request',
      title: titles.request,
      text: (row) => row.subject_request_id ?? '',
      cell: (row) => <RequestOf record={row} />,
    },
    { name: 'workspace', title: titles.workspace, text: (row) => row.workspace ?? '' },
    {
      name: 'key',
      title: titles.key,
      text: (row) => row.key,
      cell: (row) => <span className="console-id">{row.key}</span>,
    },
    { name: 'marked', title: titles.marked, text: (row) => (row.marked ? t.yes : t.no) },
  ];
}

/** The request that a record belongs to; a dash where it is of none. */
export function RequestOf({ record }: { readonly record: ParkedRecord }) {
  const { workspace, subject_request_id: id } = record;
  if (workspace === null || id === null) return <>–</>;
  return (
    <Link className="console-id" to={requestPath(workspace, id)}>
      {id}
    </Link>
  );
}
