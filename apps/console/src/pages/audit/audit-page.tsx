import { Button, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core';
import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { ExportButton } from '../../lists/export-button';
import { FilterDay, FilterText } from '../../lists/filter-fields';
import { ListState } from '../../lists/list-state';
import { ReadAgain } from '../../lists/read-again';
import { listTexts } from '../../lists/texts';
import { useCursorList } from '../../lists/use-cursor-list';
import { useFilters } from '../../lists/use-filters';
import { VirtualTable } from '../../lists/virtual-table';
import { Page } from '../../parts/page';
import { useAuditColumns, type AuditEntry } from './columns';
import { auditTexts } from './texts';

const FILTERS = ['by', 'action', 'workspace', 'from', 'to'] as const;
const PAGE_ROWS = 100;
const keyOf = (row: AuditEntry): string => row.id;

/** The audit trail, the newest first. */
export default function AuditPage() {
  const t = useTexts(auditTexts);
  const common = useTexts(listTexts);
  const { filters, isFiltered, set, reset } = useFilters(FILTERS);
  const columns = useAuditColumns();
  const list = useCursorList<AuditEntry>(['audit', filters], async (cursor, signal) => {
    const query = { ...filters, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
    const page = await bodyOf(api.GET('/operator/v1/audit', { params: { query }, signal }));
    return { rows: page.entries, next: page.next_cursor };
  });
  return (
    <Page
      title={t.title}
      isLoading={list.isLoading}
      isFilling
      actions={
        <>
          <ReadAgain queryKey={['audit']} />
          <ExportButton file="audit" columns={columns} rows={list.rows} />
        </>
      }
    >
      <p className="console-paragraph">{t.intro}</p>
      <Toolbar className="console-filters console-no-print">
        <ToolbarContent>
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
        </ToolbarContent>
      </Toolbar>
      <ListState list={list} isFiltered={isFiltered} empty={{ title: t.empty, help: t.emptyHelp }}>
        <VirtualTable
          name={t.title}
          columns={columns}
          rows={list.rows}
          keyOf={keyOf}
          hasMore={list.hasMore}
          more={list.more}
        />
      </ListState>
    </Page>
  );
}
