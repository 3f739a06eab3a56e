import type { Answer } from '../../api/answer';
import { useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { lineColumn } from '../../lists/line-column';
import { timeColumn } from '../../lists/time-column';
import { requestColumn } from '../../requests/request-column';
import { auditTexts } from './texts';

export type AuditEntry = Answer<'/operator/v1/audit'>['entries'][number];

const OBJECTS = ['participant', 'delivery_id', 'service', 'record', 'key'] as const;

/** What the audit trail shows, and its export holds. */
export function useAuditColumns(): readonly Column<AuditEntry>[] {
  const { columns: titles, noReason, objects } = useTexts(auditTexts);
  const objectOf = (row: AuditEntry): string =>
    OBJECTS.flatMap((name) => (row[name] === null ? [] : [`${objects[name]} ${row[name]}`])).join(', ');
  return [
    timeColumn('time', titles.time, (row) => row.time),
    { name: 'by', title: titles.by, text: (row) => row.by ?? '' },
    { name: 'action', title: titles.action, text: (row) => row.action },
    lineColumn('reason', titles.reason, (row) => row.reason ?? noReason),
    requestColumn('request', titles.request),
    { name: 'workspace', title: titles.workspace, text: (row) => row.workspace ?? '' },
    lineColumn('object', titles.object, objectOf),
    { name: 'role', title: titles.role, text: (row) => row.role ?? '' },
    { name: 'approved', title: titles.approved, text: (row) => row.approved_by ?? '' },
  ];
}
