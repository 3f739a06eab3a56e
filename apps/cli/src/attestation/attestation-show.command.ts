import { attestationContent } from '@opendsr-service/client';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { operand } from '../options';
import { jsonOption, show } from '../output';
import { attestationLines } from './attestation-lines';

/** `dsr attestation show` (docs/evidence.md). */
export const attestationShow = command({
  words: 'attestation show',
  meaning:
    'shows what an attestation says of a request that has ended, and verifies nothing. FILE is an envelope or a bundle; ' +
    '- reads the standard input',
  options: { file: operand('FILE', String), ...jsonOption },
  run: async (given, terminal) => {
    const content = attestationContent(await terminal.files.bytes(given.file));
    if (!content) throw new CommandError(`${given.file} holds no attestation`);
    show(terminal, given, content, () => [
      ...attestationLines(content),
      'nothing of this was verified: dsr attestation verify does that',
    ]);
    return EXIT.ok;
  },
});
