import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.module';
import { required } from '../options';
import { jsonOption, show } from '../output';
import { answeredFor } from '../participants/answered-for';
import { workspace } from '../participants/participant-options';
import { workspaceClass } from './workspace-options';

/** `dsr workspaces class` (docs/workspaces.md). */
export const workspacesClass = command({
  words: 'workspaces class',
  meaning: 'sets what kind of customer a workspace is. Metrics show this class, and nothing else of a ' + 'workspace',
  options: { workspace, class: required('CLASS', workspaceClass), ...jsonOption, ...answeredFor },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const workspaces = await stores.workspaces();
      await stores.note(given, { ws: given.workspace, action: 'workspace-class-asked' });
      if (!(await workspaces.setClass(given.workspace, given.class)))
        throw new CommandError(`there is no workspace ${given.workspace}`);
      show(terminal, given, { workspace: given.workspace, class: given.class }, (set) => [
        `${set.workspace}: its class is ${set.class}; every replica knows it within 30 s`,
      ]);
      return EXIT.ok;
    }),
});
