import type { ExtensionRefusal } from '@opendsr-service/gateway/operation';
import { findWorkspace } from '@opendsr-service/workspaces';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.wiring';
import { required } from '../options';
import { jsonOption, show } from '../output';
import { line, srid, workspace } from '../participants/participant-options';

const REFUSALS: Readonly<Record<ExtensionRefusal, string>> = {
  unknown: 'there is no such request',
  ended: 'the request has ended',
  extended: 'its legal date was extended before: the law allows it once',
  'no-legal-date': 'it has no legal date: a process of an earlier version received it',
  past: 'its legal date is over',
  'not-recorded': 'the event log has not recorded it yet: try again later',
  unreadable: 'its key no longer exists, so the reason cannot be kept',
  busy: 'the request changes at this moment: try again later',
};

/** `dsr requests extend` (docs/legal-clock.md). */
export const requestsExtend = command({
  words: 'requests extend',
  meaning:
    'extends the legal date of one request: once, and before it is over. TEXT says why, for people: it is sealed ' +
    'and dies with the request’s key. ROLE is a role or a team, not a person: the event log keeps it for 400 days',
  options: {
    workspace,
    id: srid,
    reason: required('TEXT', line),
    by: required('ROLE', line),
    ...jsonOption,
  },
  run: (given, terminal) =>
    withKeyedStores(terminal, async ({ storage, vault, audit }) => {
      const known = await findWorkspace(await storage.database('workspaces'), given.workspace);
      if (!known) throw new CommandError(`there is no workspace ${given.workspace}`);
      const { workspace: ws, id, by, reason } = given;
      const entry = { ws, srid: id, by, at: terminal.now() };
      const { database, DeadlinesStore, extendDeadline } = await import('@opendsr-service/gateway/operation');
      const deadlines = new DeadlinesStore(await storage.database(database.name));
      const note = async (): Promise<void> => void (await audit({ ...entry, action: 'deadline-extension-asked' }));
      const wish = { ...entry, reason, calendar: known.legal };
      const extended = await extendDeadline({ deadlines, vault: await vault(), note }, wish);
      if (typeof extended === 'string') throw new CommandError(`not extended: ${REFUSALS[extended]}`);
      show(terminal, given, { workspace: given.workspace, id: given.id, ...extended }, (it) => [
        `extended ${it.id} until ${it.extendedUntil.toISOString()}`,
        `The data subject must hear of it, with the reasons, by ${it.noticeDueAt.toISOString()}.`,
      ]);
      return EXIT.ok;
    }),
});
