import type { DeviceMatching } from '@opendsr-service/contracts';
import type { Workspaces } from '@opendsr-service/workspaces';

export type WorkspaceReader = Pick<Workspaces, 'get'>;

/** Which profiles the device identities of a request reach in this workspace. */
export const deviceMatchingOf = async (workspaces: WorkspaceReader, ws: string): Promise<DeviceMatching> =>
  (await workspaces.get(ws))?.deviceMatching ?? 'anonymous';
