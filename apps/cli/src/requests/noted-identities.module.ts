import type { OpenStores } from '@opendsr-service/service';
import { keysDatabase, loadMasterKey, openVault } from '@opendsr-service/vault';
import type { Terminal } from '../command';
import { checkKeyedStores, keyedStoreSettings, masterKeyFileOf } from '../master-key.config';
import { AuditStore } from '../participants/audit.store';

interface IdentityQuery {
  readonly stores: Pick<OpenStores, 'storage' | 'events'>;
  readonly terminal: Pick<Terminal, 'now'>;
  readonly masterKeyFile: string;
  /** Who looks. */
  readonly by: string;
}

const GONE = 'nobody knows any more: the key is gone';

/** The file of the master key that opens them. Throws where real servers are given none, before anything is asked of these. */
export const masterKeyFor = ({ settings }: Pick<Terminal, 'settings'>): string =>
  masterKeyFileOf(settings(keyedStoreSettings, checkKeyedStores));

/** Whom a request is about and how its group is called, once it is noted who looks. */
export async function notedIdentities(
  { stores: { storage, events }, terminal, masterKeyFile, by }: IdentityQuery,
  request: { readonly ws: string; readonly srid: string },
) {
  const masterKey = await loadMasterKey(masterKeyFile);
  const { vault } = await openVault(
    await storage.database(keysDatabase.name),
    masterKey,
    () => terminal.now().getTime(),
    events.publisher,
  );
  const { database, identitiesOf } = await import('@opendsr-service/gateway/operation');
  const gateway = await storage.database(database.name);
  await new AuditStore(gateway).add({ ...request, action: 'identities-shown', by, at: terminal.now() });
  return { about: (await identitiesOf(gateway, vault, request)) ?? GONE };
}
