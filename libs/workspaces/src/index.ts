export { parseBasic, type BasicCredentials } from './basic';
export { openWorkspaces } from './open-workspaces';
export { newCredential } from './new-credential';
export { Participants } from './participants';
export type { Scope } from './workspace-documents';
export { Workspaces, type Sandbox, type Workspace } from './workspaces';
