import { DEVICE_MATCHINGS } from '@opendsr-service/contracts';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.module';
import { oneOf, required } from '../options';
import { answeredFor } from '../participants/answered-for';
import { workspace } from '../participants/participant-options';

const REACHED = {
  anonymous: 'only profiles without a login identity',
  all: 'all profiles that have the device',
} as const;

/** `dsr workspaces device-matching` (docs/erasure.md). */
export const workspacesDeviceMatching = command({
  words: 'workspaces device-matching',
  meaning:
    'sets which profiles the device identities of a request match: those without a login identity ' +
    '(anonymous), or all that have the device',
  options: { workspace, profiles: required(DEVICE_MATCHINGS.join('|'), oneOf(DEVICE_MATCHINGS)), ...answeredFor },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const workspaces = await stores.workspaces();
      await stores.note(given, { ws: given.workspace, action: 'workspace-device-matching-asked' });
      if (!(await workspaces.setDeviceMatching(given.workspace, given.profiles)))
        throw new CommandError(`there is no workspace ${given.workspace}`);
      terminal.print(
        `${given.workspace}: the devices of a request match ${REACHED[given.profiles]}; every replica knows it within 30 s`,
      );
      return EXIT.ok;
    }),
});
