import { timingSettings } from '@opendsr-service/config';
import { command, EXIT } from '../command';
import { withKeyedStores } from '../keyed-stores.wiring';
import { required } from '../options';
import { readSandboxCredentials } from './sandbox-credentials';

const { TIMING_PROFILE } = timingSettings('sandbox');

/** `dsr workspaces sandbox`: creates the workspace of a trial, so that no service needs its secret. */
export const workspacesSandbox = command({
  words: 'workspaces sandbox',
  meaning:
    'creates the sandbox workspace and its key from the file of dsr secrets make --sandbox, if they do ' +
    'not exist. Creates none in the production profile',
  options: { credentials: required('FILE', String) },
  run: async (given, terminal) => {
    if (terminal.settings({ TIMING_PROFILE }).TIMING_PROFILE === 'production') {
      terminal.print('the production profile has no sandbox workspace: use dsr workspaces create');
      return EXIT.ok;
    }
    const { key, secret } = await readSandboxCredentials(given.credentials, terminal.files);
    await withKeyedStores(terminal, async (stores) =>
      (await stores.workspaces()).ensureSandbox({ ws: 'sandbox', controllerId: 'sandbox', key, secret }),
    );
    terminal.print(`the workspace sandbox can be used with the key ${key}`);
    return EXIT.ok;
  },
});
