import { Button, ToolbarItem } from '@patternfly/react-core';
import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { FilterDay, FilterText } from '../../lists/filter-fields';
import { ListPage } from '../../lists/list-page';
import { listTexts } from '../../lists/texts';
import { useCursorList } from '../../lists/use-cursor-list';
import { useFilters } from '../../lists/use-filters';
import { useAuditColumns, type AuditEntry } from './columns';
import { auditTexts } from './texts';

const FILTERS = ['by', 'action', 'workspace', 'from', 'to'] as const;

/** The audit trail, the newest first. */
export default function AuditPage() {
  const t = useTexts(auditTexts);
  const common = useTexts(listTexts);
  const { filters, isFiltered, set, reset } = useFilters(FILTERS);
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
      filters={
        <>
          <FilterText label={t.columns.by} value={filters.by} onChange={(by) => set({ by })} />
          <FilterText label={t.columns.action} value={filters.action} onChange={(action) => set({ action })} />
          <FilterText
            label={t.columns.workspace}
            value={filters.workspace}
            onChange={(workspace) => set({ workspace })}
          />
          <FilterDay label={t.filters.from} value={filters.from} onChange={(from) => set({ from })} />
          <FilterDay label={t.filters.to} value={filters.to} onChange={(to) => set({ to })} isEnd />
          {isFiltered && (
            <ToolbarItem>
              <Button variant="link" onClick={reset}>
                {common.reset}
              </Button>
            </ToolbarItem>
          )}
        </>
      }
    />
  );
}
