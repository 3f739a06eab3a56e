import { AFTER_ERASURE_POLICIES } from '@opendsr-service/contracts';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.module';
import { oneOf, required } from '../options';
import { answeredFor } from '../participants/answered-for';
import { workspace } from '../participants/participant-options';

const DONE = { accept: 'accepted', drop: 'dropped', reject: 'rejected' } as const;

/** `dsr workspaces after-erasure` (docs/erasure.md). */
export const workspacesAfterErasure = command({
  words: 'workspaces after-erasure',
  meaning: 'sets what happens to data that arrives for an erased data subject',
  options: {
    workspace,
    policy: required(AFTER_ERASURE_POLICIES.join('|'), oneOf(AFTER_ERASURE_POLICIES)),
    ...answeredFor,
  },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const workspaces = await stores.workspaces();
      await stores.note(given, { ws: given.workspace, action: 'workspace-after-erasure-asked' });
      if (!(await workspaces.setAfterErasure(given.workspace, given.policy)))
        throw new CommandError(`there is no workspace ${given.workspace}`);
      terminal.print(`${given.workspace}: data that arrives after an erasure is ${DONE[given.policy]}`);
      return EXIT.ok;
    }),
});
