import { command, EXIT } from '../command';
import { withStores } from '../db/stores.module';
import { flag, optional, UsageError } from '../options';
import { onOneLine } from '../on-one-line';
import { jsonOption, show } from '../output';
import { line, srid, workspace } from '../participants/participant-options';
import { factLines } from './fact-lines';
import { notedIdentities } from './noted-identities.module';
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
      const about = given.by === undefined ? undefined : { about: (await notedIdentities({ stores, terminal, by: given.by }, request)) ?? 'nobody knows any more: the key is destroyed' };
      show(terminal, given, { ...facts, ...about }, (all) => factLines(all).map((text) => onOneLine(text)));
      return EXIT.ok;
    });
  },
});
