import { useCallback } from 'react';
import type { Query } from '../../api/answer';
import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { ExportButton } from '../../lists/export-button';
import { ListState } from '../../lists/list-state';
import { useCursorList } from '../../lists/use-cursor-list';
import { useFilters } from '../../lists/use-filters';
import { VirtualTable } from '../../lists/virtual-table';
import { Page } from '../../parts/page';
import type { RequestSummary } from '../../requests/labels';
import { requestPath } from '../../requests/request-path';
import { useRequestColumns } from './columns';
import { REQUEST_FILTERS } from './list-parameters';
import { NewerOffer } from './newer-offer';
import { RequestFilterBar } from './request-filter-bar';
import { requestsTexts } from './texts';

const keyOf = (row: RequestSummary): string => requestPath(row.workspace, row.subject_request_id);

/** All requests that the roles reach, by filters that live in the address. */
export default function RequestsPage() {
  const t = useTexts(requestsTexts);
  const controls = useFilters(REQUEST_FILTERS);
  const { filters, isFiltered } = controls;
  const columns = useRequestColumns();
  const list = useCursorList<RequestSummary>(
    ['requests', filters],
    async (wanted, signal) => {
      const query = { ...filters, ...wanted } as Query<'/operator/v1/requests'>;
      const { requests, next_cursor: next } = await bodyOf(
        api.GET('/operator/v1/requests', { params: { query }, signal }),
      );
      return { rows: requests, next };
    },
    { isFollowed: true },
  );
  const more = useCallback(() => list.more(), [list]);
  return (
    <Page
      title={t.title}
      isLoading={list.isLoading}
      isFilling
      actions={
        <>
          <NewerOffer />
          <ExportButton file="requests" columns={columns} rows={list.rows} />
        </>
      }
    >
      <RequestFilterBar {...controls} />
      <ListState list={list} isFiltered={isFiltered} empty={{ title: t.empty, help: t.emptyHelp }}>
        <VirtualTable
          name={t.title}
          columns={columns}
          rows={list.rows}
          keyOf={keyOf}
          hasMore={list.hasMore}
          more={more}
        />
      </ListState>
    </Page>
  );
}
