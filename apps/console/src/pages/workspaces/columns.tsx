import { Link } from 'react-router';
import { useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { timeColumn } from '../../lists/time-column';
import { workspaceTexts } from './texts';
import { workspacePath, type Workspace } from './workspace';

/** What the list of workspaces shows, and its export holds. */
export function useWorkspaceColumns(): readonly Column<Workspace>[] {
  const { columns: titles } = useTexts(workspaceTexts);
  return [
    {
      name: 'workspace',
      title: titles.workspace,
      text: (row) => row.workspace,
      cell: ({ workspace }) => <Link to={workspacePath(workspace)}>{workspace}</Link>,
    },
    { name: 'name', title: titles.name, text: (row) => row.name },
    { name: 'controller', title: titles.controller, text: (row) => row.controller_id },
    { name: 'class', title: titles.class, text: (row) => row.class },
    timeColumn('created', titles.created, (row) => row.created_time),
  ];
}
