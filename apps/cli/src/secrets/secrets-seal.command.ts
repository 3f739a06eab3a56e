import { checkMasterKey, keyServiceOf, masterKeySettings, timingSettings } from '@opendsr-service/config';
import { generationNames, loadMasterKey, openKeyService } from '@opendsr-service/vault';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { required } from '../options';

const table = { TIMING_PROFILE: timingSettings('production').TIMING_PROFILE, ...masterKeySettings };

/** `dsr secrets seal` (docs/key-generations.md). */
export const secretsSeal = command({
  words: 'secrets seal',
  meaning:
    'seals a master key with the key service of the environment (KEY_SERVICE), and writes what MASTER_KEY_FILE ' +
    'holds for services that use it; prints how the names of its key generations begin. Creates the key of the service if it does not exist. Overwrites nothing',
  options: { 'master-key': required('FILE', String), out: required('FILE', String) },
  run: async ({ 'master-key': file, out }, terminal) => {
    const values = terminal.settings(table, (read) =>
      // The file that is sealed stands in for the one that does not exist yet.
      checkMasterKey({ ...read, MASTER_KEY_FILE: file }, false),
    );
    const options = keyServiceOf(values);
    if (!options) throw new CommandError('KEY_SERVICE: must name a key service, not file');
    const masterKey = await loadMasterKey(file);
    const sealed = await (await openKeyService(options)).seal(masterKey.export());
    await terminal.files.writeNew([{ file: out, text: `${sealed}\n`, mode: 0o600 }]);
    terminal.print(`made  ${out}`);
    terminal.print(
      `The names of its key generations begin with ${generationNames(options.key, masterKey)}-: the policy has to name them.`,
    );
    terminal.print(
      'Keep a copy of the master key itself in a safe place: without the key service only it opens the data.',
    );
    return EXIT.ok;
  },
});
