import type { DeviceMatching } from '@opendsr-service/contracts';
import type { Workspaces } from '@opendsr-service/workspaces';

export type WorkspaceReader = Pick<Workspaces, 'get'>;

export const deviceMatchingOf = async (workspaces: WorkspaceReader, ws: string): Promise<DeviceMatching> =>
  (await workspaces.get(ws))?.deviceMatching ?? 'anonymous';
