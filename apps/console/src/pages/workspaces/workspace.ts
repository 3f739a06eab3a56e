import type { Answer } from '../../api/answer';

export type Workspace = Answer<'/operator/v1/workspaces'>['workspaces'][number];
export type WorkspaceDetail = Answer<'/operator/v1/workspaces/{ws}'>;
export type ApiKey = Answer<'/operator/v1/workspaces/{ws}/api-keys'>['api_keys'][number];

/** The address of a workspace below `/console`. */
export const workspacePath = (workspace: string): string => `/workspaces/${encodeURIComponent(workspace)}`;
