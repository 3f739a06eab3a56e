import type { KeyObject } from 'node:crypto';
import type { Connection } from 'mongoose';
import { LinkKeys } from './link-keys';
import { Vault } from './vault';

/** The vault and the link keys over the shared `keys` database, ready for use. `clock` answers milliseconds since 1970. */
export async function openVault(connection: Connection, masterKey: KeyObject, clock: () => number): Promise<{ readonly vault: Vault; readonly linkKeys: LinkKeys }> {
  const vault = new Vault(connection, masterKey, clock);
  const linkKeys = new LinkKeys(connection, masterKey, clock);
  await vault.ready();
  await linkKeys.ready();
  return { vault, linkKeys };
}
