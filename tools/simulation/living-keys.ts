import type { Storage } from '@opendsr-service/storage';
import { openVault, VaultError } from '@opendsr-service/vault';
import { keysOf, type WorldParts } from './services/world-parts';
import { noPublisher } from './workspaces';

/** Those of all stored data keys that no process could open any more. */
export async function unreadableKeys(storage: Storage, world: WorldParts): Promise<readonly string[]> {
  const connection = await storage.database('keys');
  const now = (): number => world.time.now().getTime();
  const { vault } = await openVault(connection, keysOf(world), now, noPublisher);
  const stored = (await connection.collection('dataKeys').find({}).toArray()) as unknown as {
    _id: string;
    ws: string;
  }[];
  const opens = await Promise.all(stored.map(({ _id, ws }) => vault.key(ws, _id).then(Boolean, isNoVaultError)));
  return stored.filter((_, n) => !opens[n]).map(({ _id }) => _id);
}

function isNoVaultError(error: unknown): false {
  if (error instanceof VaultError) return false;
  throw error;
}
