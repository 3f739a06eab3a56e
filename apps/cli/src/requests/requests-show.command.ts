import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withStores } from '../db/stores.module';
import { flag, optional, UsageError } from '../options';
import { onOneLine } from '../on-one-line';
import { jsonOption, show } from '../output';
import { line, srid, workspace } from '../participants/participant-options';
import { factLines } from './fact-lines';
import { keySourceFor, notedIdentities } from './noted-identities.module';
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
    const asked = given.by === undefined ? undefined : { by: given.by, keySource: keySourceFor(terminal) };
    const request = { ws: given.workspace, srid: given.id };
    return withStores(terminal, async (stores) => {
      const facts = await requestFacts(stores, request);
      if (!facts) throw new CommandError(`the stores hold nothing about request ${given.id} in ${given.workspace}`);
      const noted = asked && (await notedIdentities({ stores, terminal, ...asked }, request));
      show(terminal, given, { ...facts, ...noted }, (all) => factLines(all).map((text) => onOneLine(text)));
      return EXIT.ok;
    });
  },
});
