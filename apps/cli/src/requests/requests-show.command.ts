import { TOPICS } from '@opendsr-service/contracts';
import type { OpenStores } from '@opendsr-service/service';
import { leafKeyOf } from '@opendsr-service/vault';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withStores } from '../db/stores.wiring';
import { withKeyedStores, type KeyedStores } from '../keyed-stores.wiring';
import { flag, optional, UsageError } from '../options';
import { onOneLine } from '../on-one-line';
import { jsonOption, show } from '../output';
import { line, srid, workspace } from '../participants/participant-options';
import { factLines } from './fact-lines';
import { requestFacts } from './request-facts';

/** `dsr requests show`: the state of a request in all services (docs/parked.md). */
export const requestsShow = command({
  words: 'requests show',
  meaning:
    'shows what the stores hold about one request: status and times, participants, callbacks by the ' +
    'hash of their URL, archive, erasure, parked records, and whether its key exists. --identities also ' +
    'shows whom it is about, the name of its group and the hosts of its callbacks; NAME is noted first',
  options: { workspace, id: srid, identities: flag, by: optional('NAME', line), ...jsonOption },
  run: (given, terminal) => {
    if ((given.identities === undefined) !== (given.by === undefined))
      throw new UsageError('--identities and --by go together');
    const { by, id: requestId, workspace: ws } = given;
    const request = { ws, srid: requestId };
    const showFacts = async (stores: Pick<OpenStores, 'storage'>, noted?: () => ReturnType<typeof notedIdentities>) => {
      const facts = await requestFacts(stores, request);
      if (!facts) throw new CommandError(`the stores hold nothing about request ${requestId} in ${ws}`);
      show(terminal, given, { ...facts, ...(await noted?.()) }, (all) =>
        factLines(all).map((text) => onOneLine(text, Number.POSITIVE_INFINITY)),
      );
      return EXIT.ok;
    };
    if (by === undefined) return withStores(terminal, (stores) => showFacts(stores));
    const entry = { ...request, by, at: terminal.now() };
    return withKeyedStores(terminal, (stores) => showFacts(stores, () => notedIdentities(stores, entry)));
  },
});

/** Notes the operator in the audit trail and in the transparency log, then opens the identities and the group of a request. */
async function notedIdentities(
  { storage, vault, audit, seal, publisher }: KeyedStores,
  asked: { readonly ws: string; readonly srid: string; readonly by: string; readonly at: Date },
) {
  const { database, identitiesOf, auditedLeaf } = await import('@opendsr-service/gateway/operation');
  // It refuses another master key, by which no service would take the leaf.
  const opened = await vault();
  const entry = { ...asked, action: 'identities-shown' } as const;
  const id = await audit(entry);
  await publisher.publish(TOPICS.evidenceLeaves.name, [auditedLeaf(id, entry, leafKeyOf(seal))]);
  const about = await identitiesOf(await storage.database(database.name), opened, asked);
  return { about: about ?? 'unreadable: the key no longer exists' };
}
