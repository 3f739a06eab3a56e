import type { OpenStores } from '@opendsr-service/service';
import { keysDatabase, loadMasterKey, openVault } from '@opendsr-service/vault';
import type { Terminal } from '../command';
import { checkKeyedStores, keyedStoreSettings, masterKeyFileOf } from '../master-key.config';
import { AuditStore } from '../participants/audit.store';

interface IdentityQuery {
  readonly stores: Pick<OpenStores, 'storage' | 'events'>;
  readonly terminal: Pick<Terminal, 'now'>;
  readonly masterKeyFile: string;
  /** The operator. */
  readonly by: string;
}

const GONE = 'unreadable: the key no longer exists';

/** The file of the master key. Throws if it is missing, before the servers are asked. */
export const masterKeyFor = ({ settings }: Pick<Terminal, 'settings'>): string =>
  masterKeyFileOf(settings(keyedStoreSettings, checkKeyedStores));

/** Notes the operator in the audit trail, then opens the identities and the group of a request. */
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
