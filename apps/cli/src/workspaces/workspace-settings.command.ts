import { AFTER_ERASURE_POLICIES, DEVICE_MATCHINGS } from '@opendsr-service/contracts';
import type { Workspaces } from '@opendsr-service/workspaces';
import { command, EXIT, type Terminal } from '../command';
import { withKeyedStores, type WorkspaceChange } from '../keyed-stores.wiring';
import { oneOf, required } from '../options';
import { jsonOption, show } from '../output';
import { answeredFor, type AnsweredFor } from '../participants/answered-for';
import { workspace } from '../participants/participant-options';
import { workspaceClass } from './workspace-options';

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
    changed(given, terminal, 'workspace-after-erasure-asked', async (workspaces) => {
      await workspaces.setAfterErasure(given.workspace, given.policy);
      terminal.print(`${given.workspace}: data that arrives after an erasure is ${DONE[given.policy]}`);
    }),
});

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
    changed(given, terminal, 'workspace-device-matching-asked', async (workspaces) => {
      await workspaces.setDeviceMatching(given.workspace, given.profiles);
      terminal.print(
        `${given.workspace}: the devices of a request match ${REACHED[given.profiles]}; every replica knows it within 30 s`,
      );
    }),
});

/** `dsr workspaces class` (docs/workspaces.md). */
export const workspacesClass = command({
  words: 'workspaces class',
  meaning: 'sets what kind of customer a workspace is. Metrics show this class, and nothing else of a ' + 'workspace',
  options: { workspace, class: required('CLASS', workspaceClass), ...jsonOption, ...answeredFor },
  run: (given, terminal) =>
    changed(given, terminal, 'workspace-class-asked', async (workspaces) => {
      await workspaces.setClass(given.workspace, given.class);
      show(terminal, given, { workspace: given.workspace, class: given.class }, (set) => [
        `${set.workspace}: its class is ${set.class}; every replica knows it within 30 s`,
      ]);
    }),
});

/** Notes a change of a workspace, which must exist, then makes it. */
const changed = (
  given: AnsweredFor & { readonly workspace: string },
  terminal: Terminal,
  action: WorkspaceChange['action'],
  change: (workspaces: Workspaces) => Promise<void>,
): Promise<number> =>
  withKeyedStores(terminal, async (stores) => {
    const workspaces = await stores.workspaces();
    await stores.note(given, { ws: given.workspace, action });
    await change(workspaces);
    return EXIT.ok;
  });
