import { ToolbarItem } from '@patternfly/react-core';
import type { Query } from '../../api/answer';
import { api, bodyOf } from '../../api/client';
import { may } from '../../api/permission';
import { useTexts } from '../../language/language-context';
import { FilterChoice, FilterText } from '../../lists/filter-fields';
import { ListPage } from '../../lists/list-page';
import { useCursorList } from '../../lists/use-cursor-list';
import { useFilters } from '../../lists/use-filters';
import { useSession } from '../../session/session-context';
import { ChangeAll } from './change-all';
import { useParkedColumns } from './columns';
import { isKind, isService, KINDS, parkedPath, SERVICES, type ParkedRecord } from './parked-record';
import { parkedTexts } from './texts';

const FILTERS = ['service', 'workspace', 'parked_reason', 'kind', 'key'] as const;

/** Records that services could not handle. */
export default function ParkedPage() {
  const t = useTexts(parkedTexts);
  const { filters, isFiltered, field } = useFilters(FILTERS);
  const columns = useParkedColumns();
  const session = useSession();
  const list = useCursorList<ParkedRecord>(['parked', filters], async (wanted, signal) => {
    const query = { ...filters, ...wanted } as Query<'/operator/v1/parked'>;
    const page = await bodyOf(api.GET('/operator/v1/parked', { params: { query }, signal }));
    return { rows: page.parked, next: page.next_cursor, unavailable: page.unavailable };
  });
  const { service, kind, ...others } = filters;
  const mayRepair = may(session, 'repair', filters.workspace ?? null);
  return (
    <ListPage
      name="parked"
      texts={t}
      list={list}
      columns={columns}
      keyOf={parkedPath}
      isFiltered={isFiltered}
      filters={
        <>
          <FilterChoice
            label={t.columns.service}
            {...field('service')}
            choices={SERVICES.map((name) => [name, name] as const)}
          />
          <FilterText label={t.columns.workspace} {...field('workspace')} />
          <FilterText label={t.columns.reason} {...field('parked_reason')} />
          <FilterChoice
            label={t.columns.kind}
            {...field('kind')}
            choices={[['not-aside', t.notAside] as const, ...KINDS.map((one) => [one, t.kind[one]] as const)]}
          />
          <FilterText label={t.columns.key} {...field('key')} />
          {mayRepair && (
            <ToolbarItem>
              {isService(service) && (kind === undefined || isKind(kind)) ? (
                <ChangeAll service={service} which={{ ...others, kind }} />
              ) : (
                t.chooseService
              )}
            </ToolbarItem>
          )}
        </>
      }
    />
  );
}
