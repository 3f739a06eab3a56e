export { parseBasic, type BasicCredentials } from './basic';
export { openWorkspaces } from './open-workspaces';
export { newCredential } from './new-credential';
export type { NewParticipant } from './new-participant';
export { NameTaken, TooManyParticipants, UnknownWorkspace } from './participant-faults';
export { Participants, type OutsideParticipant, type RegisteredParticipant } from './participants';
export { builtInReportKey, waiverKey } from './report-keys';
export type { Scope } from './workspace-documents';
export { Workspaces, type Sandbox, type Workspace } from './workspaces';
