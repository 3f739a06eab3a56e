import type { KeyObject } from 'node:crypto';
import type { Publisher } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import { LinkKeys } from './link-keys';
import { MasterSeal } from './master-seal';
import { Vault } from './vault';

export interface OpenVault {
  readonly vault: Vault;
  readonly linkKeys: LinkKeys;
  readonly seal: MasterSeal;
}

export async function openVault(
  connection: Connection,
  masterKey: KeyObject,
  clock: () => number,
  tombstones: Publisher,
): Promise<OpenVault> {
  const vault = new Vault(connection, masterKey, clock, { tombstones });
  const linkKeys = new LinkKeys(connection, masterKey, clock);
  await vault.ready();
  await linkKeys.ready();
  return { vault, linkKeys, seal: new MasterSeal(masterKey) };
}
