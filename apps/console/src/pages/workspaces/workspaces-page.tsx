import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { ExportButton } from '../../lists/export-button';
import { ListState } from '../../lists/list-state';
import { ReadAgain } from '../../lists/read-again';
import { useCursorList } from '../../lists/use-cursor-list';
import { VirtualTable } from '../../lists/virtual-table';
import { Page } from '../../parts/page';
import { useWorkspaceColumns } from './columns';
import { workspaceTexts } from './texts';
import type { Workspace } from './workspace';

const PAGE_ROWS = 100;

/** The workspaces that the roles reach. */
export default function WorkspacesPage() {
  const t = useTexts(workspaceTexts);
  const columns = useWorkspaceColumns();
  const list = useCursorList<Workspace>(['workspaces'], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
    const page = await bodyOf(api.GET('/operator/v1/workspaces', { params: { query }, signal }));
    return { rows: page.workspaces, next: page.next_cursor };
  });
  return (
    <Page
      title={t.title}
      isLoading={list.isLoading}
      isFilling
      actions={
        <>
          <ReadAgain queryKey={['workspaces']} />
          <ExportButton file="workspaces" columns={columns} rows={list.rows} />
        </>
      }
    >
      <ListState list={list} isFiltered={false} empty={{ title: t.empty, help: t.emptyHelp }}>
        <VirtualTable
          name={t.title}
          columns={columns}
          rows={list.rows}
          keyOf={({ workspace }) => workspace}
          hasMore={list.hasMore}
          more={list.more}
        />
      </ListState>
    </Page>
  );
}
