import type { Publisher } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import { LinkKeys } from './link-keys';
import { MasterSeal } from './master-seal';
import type { Keys } from './open-keys';
import { Vault } from './vault';

interface OpenVault {
  readonly vault: Vault;
  readonly linkKeys: LinkKeys;
  readonly seal: MasterSeal;
}

export async function openVault(
  connection: Connection,
  { masterKey, generations }: Keys,
  clock: () => number,
  tombstones: Publisher,
): Promise<OpenVault> {
  const vault = new Vault(connection, masterKey, clock, { tombstones, generations });
  const linkKeys = new LinkKeys(connection, masterKey, clock);
  await vault.ready();
  await linkKeys.ready();
  return { vault, linkKeys, seal: new MasterSeal(masterKey) };
}
