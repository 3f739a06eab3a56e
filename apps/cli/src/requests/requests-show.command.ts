import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withStores } from '../db/stores.module';
import { flag, optional, UsageError } from '../options';
import { onOneLine } from '../on-one-line';
import { jsonOption, show } from '../output';
import { line, srid, workspace } from '../participants/participant-options';
import { factLines } from './fact-lines';
import { masterKeyFor, notedIdentities } from './noted-identities.module';
import { requestFacts } from './request-facts';

/** `dsr requests show`: where one request stands, over all services (docs/parked.md). */
export const requestsShow = command({
  words: 'requests show',
  meaning:
    'shows all that the stores know of one request: status and times, participants, callbacks by the ' +
    'hash of their URL, archive, erasure, parked records, and whether its key is alive. ' +
    '--identities shows whom it is about, the name of its group and the hosts of its callbacks as well, for NAME, which is noted before',
  options: { workspace, id: srid, identities: flag, by: optional('NAME', line), ...jsonOption },
  run: (given, terminal) => {
    if ((given.identities === undefined) !== (given.by === undefined))
      throw new UsageError('--identities and --by go together');
    const asked = given.by === undefined ? undefined : { by: given.by, masterKeyFile: masterKeyFor(terminal) };
    const request = { ws: given.workspace, srid: given.id };
    return withStores(terminal, async (stores) => {
      const facts = await requestFacts(stores, request);
      if (!facts) throw new CommandError(`nothing is known of a request ${given.id} in ${given.workspace}`);
      const noted = asked && (await notedIdentities({ stores, terminal, ...asked }, request));
      show(terminal, given, { ...facts, ...noted }, (all) => factLines(all).map((text) => onOneLine(text)));
      return EXIT.ok;
    });
  },
});
