import { Link } from 'react-router';
import { useTexts } from '../../language/language-context';
import { timeColumn, type Column } from '../../lists/column';
import { workspaceTexts } from './texts';
import { workspacePath, type Workspace } from './workspace';

/** What the list of workspaces shows, and its export holds. */
export function useWorkspaceColumns(): readonly Column<Workspace>[] {
  const { columns: titles } = useTexts(workspaceTexts);
  return [
    {
      title: titles.workspace,
      text: (row) => row.workspace,
      cell: ({ workspace }) => <Link to={workspacePath(workspace)}>{workspace}</Link>,
    },
    { title: titles.name, text: (row) => row.name },
    { title: titles.controller, text: (row) => row.controller_id },
    { title: titles.class, text: (row) => row.class },
    timeColumn(titles.created, (row) => row.created_time),
  ];
}
