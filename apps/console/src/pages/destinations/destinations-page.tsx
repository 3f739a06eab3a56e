import { Toolbar, ToolbarContent } from '@patternfly/react-core';
import type { Query } from '../../api/answer';
import { api, bodyOf } from '../../api/client';
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
import { useDestinationColumns } from './columns';
import { destinationPath, type Destination } from './destination';
import { destinationTexts } from './texts';

const FILTERS = ['workspace', 'state'] as const;
const PAGE_ROWS = 100;

/** The hosts that receive callbacks, and how they do. */
export default function DestinationsPage() {
  const t = useTexts(destinationTexts);
  const { filters, isFiltered, set } = useFilters(FILTERS);
  const columns = useDestinationColumns();
  const list = useCursorList<Destination>(['destinations', filters], async (cursor, signal) => {
    const asked = { ...filters, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
    const query = asked as Query<'/operator/v1/destinations'>;
    const page = await bodyOf(api.GET('/operator/v1/destinations', { params: { query }, signal }));
    return { rows: page.destinations, next: page.next_cursor, unavailable: page.unavailable };
  });
  return (
    <Page
      title={t.title}
      isLoading={list.isLoading}
      isFilling
      actions={
        <>
          <ReadAgain queryKey={['destinations']} />
          <ExportButton file="destinations" columns={columns} rows={list.rows} />
        </>
      }
    >
      <Toolbar className="console-filters console-no-print">
        <ToolbarContent>
          <FilterText
            label={t.columns.workspace}
            value={filters.workspace}
            onChange={(workspace) => set({ workspace })}
          />
          <FilterChoice
            label={t.columns.state}
            value={filters.state}
            onChange={(state) => set({ state })}
            choices={Object.entries(t.state)}
          />
        </ToolbarContent>
      </Toolbar>
      <p className="console-paragraph">{t.hostHelp}</p>
      <UnavailableNote services={list.unavailable} />
      <ListState list={list} isFiltered={isFiltered} empty={{ title: t.empty, help: t.emptyHelp }}>
        <VirtualTable
          name={t.title}
          columns={columns}
          rows={list.rows}
          keyOf={destinationPath}
          hasMore={list.hasMore}
          more={list.more}
        />
      </ListState>
    </Page>
  );
}
