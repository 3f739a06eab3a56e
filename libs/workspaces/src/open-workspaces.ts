import type { Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { Workspaces } from './workspaces';

/** The workspaces over their shared database, ready for use. `clock` answers milliseconds since 1970. */
export async function openWorkspaces(connection: Connection, vault: Vault, clock: () => number): Promise<Workspaces> {
  const workspaces = new Workspaces(connection, await vault.systemKey('credentials'), clock);
  await workspaces.ready();
  return workspaces;
}
