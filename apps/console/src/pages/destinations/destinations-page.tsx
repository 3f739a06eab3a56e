import type { Query } from '../../api/answer';
import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { FilterChoice, FilterText } from '../../lists/filter-fields';
import { ListPage } from '../../lists/list-page';
import { useCursorList } from '../../lists/use-cursor-list';
import { useFilters } from '../../lists/use-filters';
import { useDestinationColumns } from './columns';
import { destinationPath, type Destination } from './destination';
import { destinationTexts } from './texts';

const FILTERS = ['workspace', 'state'] as const;

/** The hosts that receive callbacks, and how they do. */
export default function DestinationsPage() {
  const t = useTexts(destinationTexts);
  const { filters, isFiltered, field } = useFilters(FILTERS);
  const columns = useDestinationColumns();
  const list = useCursorList<Destination>(['destinations', filters], async (wanted, signal) => {
    const query = { ...filters, ...wanted } as Query<'/operator/v1/destinations'>;
    const page = await bodyOf(api.GET('/operator/v1/destinations', { params: { query }, signal }));
    return { rows: page.destinations, next: page.next_cursor, unavailable: page.unavailable };
  });
  return (
    <ListPage
      name="destinations"
      texts={{ ...t, intro: t.hostHelp }}
      list={list}
      columns={columns}
      keyOf={destinationPath}
      isFiltered={isFiltered}
      filters={
        <>
          <FilterText label={t.columns.workspace} {...field('workspace')} />
          <FilterChoice label={t.columns.state} {...field('state')} choices={Object.entries(t.state)} />
        </>
      }
    />
  );
}
