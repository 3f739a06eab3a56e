import { AFTER_ERASURE_POLICIES } from '@opendsr-service/contracts';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.module';
import { oneOf, required } from '../options';
import { workspace } from '../participants/participant-options';

/** `dsr workspaces after-erasure`: what becomes of data that arrives for an erased identity (docs/erasure.md). */
export const workspacesAfterErasure = command({
  words: 'workspaces after-erasure',
  meaning: 'says what becomes of data that arrives for somebody who was erased',
  options: { workspace, policy: required(AFTER_ERASURE_POLICIES.join('|'), oneOf(AFTER_ERASURE_POLICIES)) },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const workspaces = await stores.workspaces();
      if (!(await workspaces.setAfterErasure(given.workspace, given.policy)))
        throw new CommandError(`there is no workspace ${given.workspace}`);
      terminal.print(
        `${given.workspace}: data that arrives after an erasure is ${{ accept: 'accepted', drop: 'dropped', reject: 'rejected' }[given.policy]}`,
      );
      return EXIT.ok;
    }),
});
