import type { MasterSeal, Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { Workspaces } from './workspaces';

/** Opens the workspaces of their shared database. `clock` returns milliseconds since 1970. */
export async function openWorkspaces(
  connection: Connection,
  vault: Vault,
  seal: MasterSeal,
  clock: () => number,
): Promise<Workspaces> {
  const workspaces = new Workspaces(connection, await vault.systemKey('credentials'), seal, clock);
  await workspaces.ready();
  return workspaces;
}
