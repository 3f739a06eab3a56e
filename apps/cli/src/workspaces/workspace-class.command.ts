import { command, EXIT } from '../command';
import { withDesk } from '../desk.module';
import { required } from '../options';
import { workspace } from '../participants/participant-options';
import { workspaceClass } from './workspace-options';

/** `dsr workspaces class`: what kind of customer a workspace is, for metrics (docs/workspaces.md). */
export const workspacesClass = command({
  words: 'workspaces class',
  meaning: 'says what kind of customer a workspace is, which metrics show; it is the one thing that they say of a workspace',
  options: { workspace, class: required('CLASS', workspaceClass) },
  run: (given, terminal) =>
    withDesk(terminal, async (desk) => {
      const workspaces = await desk.workspaces();
      if (!(await workspaces.setClass(given.workspace, given.class))) throw new Error(`there is no workspace ${given.workspace}`);
      terminal.print(`${given.workspace}: its class is ${given.class}, known to every replica within 30 s`);
      return EXIT.ok;
    }),
});
