import type { Connection } from 'mongoose';
import { collectionsOf } from './workspace-documents';

/** The shared database of workspaces, for tools. */
export const workspacesDatabase = {
  name: 'workspaces',
  models: (connection: Connection): void => void collectionsOf(connection),
};
