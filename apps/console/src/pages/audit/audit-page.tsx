import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { FilterDay, FilterText } from '../../lists/filter-fields';
import { ListPage } from '../../lists/list-page';
import { useCursorList } from '../../lists/use-cursor-list';
import { useFilters } from '../../lists/use-filters';
import { useAuditColumns, type AuditEntry } from './columns';
import { auditTexts } from './texts';

const FILTERS = ['by', 'action', 'workspace', 'from', 'to'] as const;

/** The audit trail, the newest first. */
export default function AuditPage() {
  const t = useTexts(auditTexts);
  const { filters, isFiltered, field, reset } = useFilters(FILTERS);
  const columns = useAuditColumns();
  const list = useCursorList<AuditEntry>(['audit', filters], async (wanted, signal) => {
    const query = { ...filters, ...wanted };
    const page = await bodyOf(api.GET('/operator/v1/audit', { params: { query }, signal }));
    return { rows: page.entries, next: page.next_cursor };
  });
  return (
    <ListPage
      name="audit"
      texts={t}
      list={list}
      columns={columns}
      keyOf={({ id }) => id}
      isFiltered={isFiltered}
      reset={reset}
      filters={
        <>
          <FilterText label={t.columns.by} {...field('by')} />
          <FilterText label={t.columns.action} {...field('action')} />
          <FilterText label={t.columns.workspace} {...field('workspace')} />
          <FilterDay label={t.filters.from} {...field('from')} />
          <FilterDay label={t.filters.to} {...field('to')} isEnd />
        </>
      }
    />
  );
}
