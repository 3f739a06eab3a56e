import type { Query } from '../../api/answer';
import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { ListPage } from '../../lists/list-page';
import { useCursorList } from '../../lists/use-cursor-list';
import { useFilters } from '../../lists/use-filters';
import type { RequestSummary } from '../../requests/labels';
import { requestPath } from '../../requests/request-path';
import { useRequestColumns } from './columns';
import { REQUEST_FILTERS } from './list-parameters';
import { NewerOffer } from './newer-offer';
import { RequestFilterFields } from './request-filter-fields';
import { requestsTexts } from './texts';

/** All requests that the roles reach, by filters that live in the address. */
export default function RequestsPage() {
  const t = useTexts(requestsTexts);
  const controls = useFilters(REQUEST_FILTERS);
  const { filters, isFiltered, reset } = controls;
  const columns = useRequestColumns();
  const list = useCursorList<RequestSummary>(
    ['requests', filters],
    async (wanted, signal) => {
      const query = { ...filters, ...wanted } as Query<'/operator/v1/requests'>;
      const page = await bodyOf(api.GET('/operator/v1/requests', { params: { query }, signal }));
      return { rows: page.requests, next: page.next_cursor };
    },
    { isFollowed: true },
  );
  return (
    <ListPage
      name="requests"
      texts={t}
      list={list}
      columns={columns}
      keyOf={(row) => requestPath(row.workspace, row.subject_request_id)}
      filters={<RequestFilterFields {...controls} />}
      isFiltered={isFiltered}
      reset={reset}
      refresh={<NewerOffer />}
    />
  );
}
