import type { KeyObject } from 'node:crypto';
import type { Connection } from 'mongoose';
import { MASTER_KEY_CHECK, systemKeyId } from './vault';
import { MasterWrap } from './master-wrap';
import { RootKeys } from './root-keys.store';

/** False if the `keys` database is empty. Throws a VaultError `master-key-wrong`. Writes nothing. */
export async function masterKeyOpens(connection: Connection, masterKey: KeyObject): Promise<boolean> {
  const roots = new RootKeys(connection, new MasterWrap(masterKey), () => 0, { maxEntries: 1, maxAgeMs: 0 });
  return (await roots.find(systemKeyId(MASTER_KEY_CHECK))) !== undefined;
}
