import { Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core';
import type { Query } from '../../api/answer';
import { api, bodyOf } from '../../api/client';
import { may } from '../../api/permission';
import { useTexts } from '../../language/language-context';
import { ExportButton } from '../../lists/export-button';
import { FilterChoice, FilterText } from '../../lists/filter-fields';
import { ListState } from '../../lists/list-state';
import { ReadAgain } from '../../lists/read-again';
import { UnavailableNote } from '../../lists/unavailable-note';
import { useCursorList } from '../../lists/use-cursor-list';
import { useFilters } from '../../lists/use-filters';
import { VirtualTable } from '../../lists/virtual-table';
import { Page } from '../../parts/page';
import { useSession } from '../../session/session-context';
import { ChangeAll } from './change-all';
import { useParkedColumns } from './columns';
import { isKind, isService, KINDS, parkedPath, SERVICES, type ParkedRecord } from './parked-record';
import { parkedTexts } from './texts';

const FILTERS = ['service', 'workspace', 'parked_reason', 'kind', 'key'] as const;
const PAGE_ROWS = 100;

/** Records that services could not handle. */
export default function ParkedPage() {
  const t = useTexts(parkedTexts);
  const { filters, isFiltered, set } = useFilters(FILTERS);
  const columns = useParkedColumns();
  const session = useSession();
  const list = useCursorList<ParkedRecord>(['parked', filters], async (cursor, signal) => {
    const asked = { ...filters, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
    const query = asked as Query<'/operator/v1/parked'>;
    const page = await bodyOf(api.GET('/operator/v1/parked', { params: { query }, signal }));
    return { rows: page.parked, next: page.next_cursor, unavailable: page.unavailable };
  });
  const { service, workspace, parked_reason: parkedReason, kind, key } = filters;
  const mayRepair = may(session, 'repair', workspace ?? null);
  return (
    <Page
      title={t.title}
      isLoading={list.isLoading}
      isFilling
      actions={
        <>
          <ReadAgain queryKey={['parked']} />
          <ExportButton file="parked" columns={columns} rows={list.rows} />
        </>
      }
    >
      <p className="console-paragraph">{t.intro}</p>
      <Toolbar className="console-filters console-no-print">
        <ToolbarContent>
          <FilterChoice
            label={t.columns.service}
            value={service}
            onChange={(next) => set({ service: next })}
            choices={SERVICES.map((name) => [name, name] as const)}
          />
          <FilterText label={t.columns.workspace} value={workspace} onChange={(next) => set({ workspace: next })} />
          <FilterText label={t.columns.reason} value={parkedReason} onChange={(next) => set({ parked_reason: next })} />
          <FilterChoice
            label={t.columns.kind}
            value={kind}
            onChange={(next) => set({ kind: next })}
            choices={KINDS.map((one) => [one, t.kind[one]] as const)}
          />
          <FilterText label={t.columns.key} value={key} onChange={(next) => set({ key: next })} />
          {mayRepair && (
            <ToolbarItem>
              {isService(service) && (kind === undefined || isKind(kind)) ? (
                <ChangeAll
                  service={service}
                  workspace={workspace}
                  parkedReason={parkedReason}
                  kind={kind}
                  recordKey={key}
                />
              ) : (
                t.chooseService
              )}
            </ToolbarItem>
          )}
        </ToolbarContent>
      </Toolbar>
      <UnavailableNote services={list.unavailable} />
      <ListState list={list} isFiltered={isFiltered} empty={{ title: t.empty, help: t.emptyHelp }}>
        <VirtualTable
          name={t.title}
          columns={columns}
          rows={list.rows}
          keyOf={parkedPath}
          hasMore={list.hasMore}
          more={list.more}
        />
      </ListState>
    </Page>
  );
}
