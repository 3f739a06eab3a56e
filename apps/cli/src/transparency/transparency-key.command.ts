import { command, EXIT } from '../command';
import { ownVerifierKey } from './transparency.config';

/** `dsr transparency key` (docs/evidence.md). */
export const transparencyKey = command({
  words: 'transparency key',
  meaning:
    'prints the verifier key of the transparency log, for everyone who checks its checkpoints. Reads the private key, ' +
    'and shows nothing of it',
  options: {},
  run: async (_given, terminal) => {
    terminal.print(await ownVerifierKey(terminal));
    return EXIT.ok;
  },
});
