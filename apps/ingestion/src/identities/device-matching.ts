import type { DeviceMatching } from '@opendsr-service/contracts';
import type { Workspaces } from '@opendsr-service/workspaces';

export type KnowsWorkspaces = Pick<Workspaces, 'get'>;

/** Which profiles the device identities of a request reach in this workspace. */
export const deviceMatchingOf = async (workspaces: KnowsWorkspaces, ws: string): Promise<DeviceMatching> =>
  (await workspaces.get(ws))?.deviceMatching ?? 'anonymous';
