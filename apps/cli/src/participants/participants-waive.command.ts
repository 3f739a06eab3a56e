import type { EncodedMessage } from '@opendsr-service/contracts';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.wiring';
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
    withKeyedStores(terminal, async ({ storage, audit, seal, vault, publisher }) => {
      const at = terminal.now();
      const { workspace: ws, request, name: participant, by, reason } = given;
      const { database, findRequest, waive } = await import('@opendsr-service/gateway/operation');
      // Refuses another master key, whose waiver would be parked.
      await vault();
      const connection = await storage.database(database.name);
      const note = async (): Promise<void> => {
        const because = reason !== undefined && { because: reason };
        await audit({ ws, srid: request, participant, by, at, ...because, action: 'participant-waived' });
      };
      const waiver = { ws, srid: request, participant, by, message: reason, at };
      const parts = { seal, note, publish: (topic: string, one: EncodedMessage) => publisher.publish(topic, [one]) };
      if ((await waive(parts, await findRequest(connection, ws, request), waiver)) === 'starting')
        throw new CommandError('the event log has not recorded the start of the request yet: try again later');
      terminal.print(`waived ${given.name} for ${given.request}: its status shows it as skipped within seconds`);
      terminal.print('If the request does not wait for this participant, the waiver changes nothing and is parked.');
      return EXIT.ok;
    }),
});
