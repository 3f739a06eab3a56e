import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { ListPage } from '../../lists/list-page';
import { useCursorList } from '../../lists/use-cursor-list';
import { useWorkspaceColumns } from './columns';
import { workspaceTexts } from './texts';
import type { Workspace } from './workspace';

/** The workspaces that the roles reach. */
export default function WorkspacesPage() {
  const t = useTexts(workspaceTexts);
  const columns = useWorkspaceColumns();
  const list = useCursorList<Workspace>(['workspaces'], async (query, signal) => {
    const page = await bodyOf(api.GET('/operator/v1/workspaces', { params: { query }, signal }));
    return { rows: page.workspaces, next: page.next_cursor };
  });
  return <ListPage name="workspaces" texts={t} list={list} columns={columns} keyOf={({ workspace }) => workspace} />;
}
