import type { Collection } from 'mongoose';
import { UnknownWorkspace } from './faults';
import type { WorkspaceDocument } from './workspace-documents';

export async function checkWorkspace(workspaces: Collection<WorkspaceDocument>, ws: string): Promise<void> {
  if (!(await workspaces.findOne({ _id: ws }, { projection: { _id: 1 } })))
    throw new UnknownWorkspace(`there is no workspace ${ws}`);
}
