import type { Answer } from '../../api/answer';
import { useTexts } from '../../language/language-context';
import { codeColumn, lineColumn, timeColumn, type Column } from '../../lists/column';
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
    timeColumn(titles.time, (row) => row.time),
    { title: titles.by, text: (row) => row.by ?? '' },
    codeColumn(titles.action, (row) => row.action),
    lineColumn(titles.reason, (row) => row.reason ?? noReason),
    requestColumn(titles.request),
    { title: titles.workspace, text: (row) => row.workspace ?? '' },
    lineColumn(titles.object, objectOf),
    { title: titles.role, text: (row) => row.role ?? '' },
    { title: titles.approved, text: (row) => row.approved_by ?? '' },
  ];
}
