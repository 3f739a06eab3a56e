export { parseBasic, type BasicCredentials } from './basic';
export { newCredential } from './new-credential';
export type { Scope } from './workspace-documents';
export { Workspaces, type Sandbox, type Workspace } from './workspaces';
