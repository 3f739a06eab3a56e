export { parseBasic, type BasicCredentials } from './basic';
export { openWorkspaces } from './open-workspaces';
export { KEY_KNOWN_MS, MAX_KEYS, ROTATED_ALONE_MS, type ApiKey } from './credentials';
export type { LegalCalendarChange } from './legal-calendar-change';
export { newCredential } from './new-credential';
export {
  KeyEnded,
  KeyRotated,
  NameTaken,
  TooManyKeys,
  TooManyParticipants,
  UnknownKey,
  UnknownWorkspace,
  WorkspaceTaken,
} from './faults';
export { CONTROLLER_ID, WORKSPACE_ID, WORKSPACE_NAME } from './new-workspace';
export { Participants, type OutsideParticipant, type RegisteredParticipant } from './participants';
export type { Token } from './budgets/budget';
export { type SourceCallBudget, RateLimits, type WorkspaceBudget } from './budgets/rate-limits';
export { builtInReportKey, type Waiver, waiverKey, waiverReport } from './report-keys';
export { sandboxKeysInForce } from './sandbox-keys';
export { SCOPES, type Scope } from './workspace-documents';
export { isWorkspaceClass } from './workspace-class';
export { findWorkspace, type Workspace } from './workspace';
export { Workspaces } from './workspaces';
export { workspacesDatabase } from './workspaces-database';
