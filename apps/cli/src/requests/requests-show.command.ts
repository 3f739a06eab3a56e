import { join } from 'node:path';
import { masterKeySettings, storeSettings, type OpenStores } from '@opendsr-service/runtime';
import { keysDatabase, loadMasterKey, openVault } from '@opendsr-service/vault';
import { command, EXIT, type Terminal } from '../command';
import { withStores } from '../db/stores.module';
import { flag, optional, UsageError } from '../options';
import { onOneLine } from '../on-one-line';
import { jsonOption, show } from '../output';
import { AuditStore } from '../participants/audit.store';
import { line, srid, workspace } from '../participants/participant-options';
import { factLines } from './fact-lines';
import { requestFacts } from './request-facts';

/** `dsr requests show`: where one request stands, over all services (docs/parked.md). */
export const requestsShow = command({
  words: 'requests show',
  meaning:
    'shows all that the stores know of one request: status and times, participants, callbacks by the hash of their URL, archive, erasure, parked records, and whether its key is alive. ' +
    '--identities shows whom it is about and the hosts of its callbacks as well, for NAME, which is noted before',
  options: { workspace, id: srid, identities: flag, by: optional('NAME', line), ...jsonOption },
  run: (given, terminal) => {
    if ((given.identities === undefined) !== (given.by === undefined)) throw new UsageError('--identities and --by go together');
    const request = { ws: given.workspace, srid: given.id };
    return withStores(terminal, async (stores) => {
      const facts = await requestFacts(stores, request);
      if (!facts) throw new Error(`nothing is known of a request ${given.id} in ${given.workspace}`);
      const about = given.by === undefined ? undefined : await noted({ stores, terminal, by: given.by }, request);
      show(terminal, given, { ...facts, ...about }, (all) => factLines(all).map((text) => onOneLine(text)));
      return EXIT.ok;
    });
  },
});

interface Asking {
  readonly stores: OpenStores;
  readonly terminal: Terminal;
  readonly by: string;
}

/** Whom it is about, once it is noted who looks. */
async function noted({ stores: { storage, events }, terminal, by }: Asking, request: { readonly ws: string; readonly srid: string }) {
  const values = terminal.settings({ DATA_DIR: storeSettings.DATA_DIR, ...masterKeySettings });
  const masterKey = await loadMasterKey(values.MASTER_KEY_FILE ?? join(values.DATA_DIR, 'keys', 'master.key'));
  const { vault } = await openVault(await storage.database(keysDatabase.name), masterKey, () => terminal.now().getTime(), events.publisher);
  const { database, identitiesOf } = await import('@opendsr-service/gateway/operation');
  const gateway = await storage.database(database.name);
  await new AuditStore(gateway).add({ ...request, action: 'identities-shown', by, at: terminal.now() });
  return { about: (await identitiesOf(gateway, vault, request)) ?? 'nobody knows any more: the key is destroyed' };
}
