import { TOPICS } from '@opendsr-service/contracts';
import { waiverReport } from '@opendsr-service/workspaces';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.module';
import { optional, required } from '../options';
import { line, srid, outsideName, workspace } from './participant-options';

/** `dsr participants waive`: for a participant that will not report about a request (decision 8). */
export const participantsWaive = command({
  words: 'participants waive',
  meaning:
    'ends the wait of one request for one outside participant; controllers see it as skipped, with the ' +
    'reason. ROLE is a role or a team, not a person: the event log keeps it for 400 days',
  options: { workspace, request: srid, name: outsideName, by: required('ROLE', line), reason: optional('TEXT', line) },
  run: (given, terminal) =>
    withKeyedStores(terminal, async ({ storage, audit, seal, publisher }) => {
      const at = terminal.now();
      const request = { ws: given.workspace, srid: given.request };
      const { database, isStarting } = await import('@opendsr-service/gateway/operation');
      // The request service parks a waiver that it reads before the start.
      if (await isStarting(await storage.database(database.name), request.ws, request.srid))
        throw new CommandError('the event log has not recorded the start of the request yet: try again later');
      // First, so that every waiver in effect has an entry.
      const because = given.reason !== undefined && { because: given.reason };
      const entry = { ...request, participant: given.name, by: given.by, at, ...because };
      await (await audit()).add({ ...entry, action: 'participant-waived' });
      const waiver = { ...request, participant: given.name, by: given.by, message: given.reason, at };
      await publisher.publish(TOPICS.participantReports.name, [waiverReport(seal, waiver)]);
      terminal.print(`waived ${given.name} for ${given.request}: its status shows it as skipped within seconds`);
      terminal.print('If the request does not wait for this participant, the waiver changes nothing and is parked.');
      return EXIT.ok;
    }),
});
