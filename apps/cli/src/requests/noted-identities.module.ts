import { TOPICS } from '@opendsr-service/contracts';
import { keySourceOf } from '@opendsr-service/config';
import type { OpenStores } from '@opendsr-service/service';
import { keysDatabase, openKeys, openVault, type KeySource } from '@opendsr-service/vault';
import type { Terminal } from '../command';
import { checkKeyedStores, keyedStoreSettings } from '../master-key.config';
import { AuditStore } from '../participants/audit.store';

interface IdentityQuery {
  readonly stores: Pick<OpenStores, 'storage' | 'events'>;
  readonly terminal: Pick<Terminal, 'now'>;
  readonly keySource: KeySource;
  /** The operator. */
  readonly by: string;
}

const GONE = 'unreadable: the key no longer exists';

/** Where the keys are. Throws if it is missing, before the servers are asked. */
export const keySourceFor = ({ settings }: Pick<Terminal, 'settings'>): KeySource =>
  keySourceOf(settings(keyedStoreSettings, checkKeyedStores));

/** Notes the operator in the audit trail and in the transparency log, then opens the identities and the group of a request. */
export async function notedIdentities(
  { stores: { storage, events }, terminal, keySource, by }: IdentityQuery,
  request: { readonly ws: string; readonly srid: string },
) {
  const { vault } = await openVault(
    await storage.database(keysDatabase.name),
    await openKeys(keySource),
    () => terminal.now().getTime(),
    events.publisher,
  );
  const { database, identitiesOf, auditedLeaf } = await import('@opendsr-service/gateway/operation');
  const gateway = await storage.database(database.name);
  const entry = { ...request, action: 'identities-shown', by, at: terminal.now() } as const;
  const id = await new AuditStore(gateway).add(entry);
  await events.publisher.publish(TOPICS.evidenceLeaves.name, [auditedLeaf(id, entry)]);
  return { about: (await identitiesOf(gateway, vault, request)) ?? GONE };
}
