import { join } from 'node:path';
import { masterKeySettings, storeSettings, type OpenStores } from '@opendsr-service/runtime';
import { keysDatabase, loadMasterKey, openVault } from '@opendsr-service/vault';
import type { Terminal } from '../command';
import { AuditStore } from '../participants/audit.store';

interface Asking {
  readonly stores: Pick<OpenStores, 'storage' | 'events'>;
  readonly terminal: Terminal;
  /** Who looks. */
  readonly by: string;
}

/** Whom a request is about, once it is noted who looks. Undefined: nobody can know any more. */
export async function notedIdentities({ stores: { storage, events }, terminal, by }: Asking, request: { readonly ws: string; readonly srid: string }) {
  const values = terminal.settings({ DATA_DIR: storeSettings.DATA_DIR, ...masterKeySettings });
  const masterKey = await loadMasterKey(values.MASTER_KEY_FILE ?? join(values.DATA_DIR, 'keys', 'master.key'));
  const { vault } = await openVault(await storage.database(keysDatabase.name), masterKey, () => terminal.now().getTime(), events.publisher);
  const { database, identitiesOf } = await import('@opendsr-service/gateway/operation');
  const gateway = await storage.database(database.name);
  await new AuditStore(gateway).add({ ...request, action: 'identities-shown', by, at: terminal.now() });
  return identitiesOf(gateway, vault, request);
}
