import type { OutsideParticipant } from '@opendsr-service/workspaces';
import { command, EXIT } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.wiring';
import { optional } from '../options';
import { jsonOption, show } from '../output';
import { answeredFor } from './answered-for';
import { domain, identityTypes, name, outsideName, types, workspace } from './participant-options';

const UNREACHABLE =
  'No outside participant can read the event log of embedded stores: requests wait for this one until they are waived.';

/** `dsr participants add` (decision 8). */
export const participantsAdd = command({
  words: 'participants add',
  meaning:
    'registers an outside participant and shows its secret once. Every request of these types that ' +
    'starts from now on waits for its report',
  options: {
    workspace,
    name: outsideName,
    domain,
    types,
    'identity-types': optional('email,controller_customer_id', identityTypes),
    ...answeredFor,
    ...jsonOption,
  },
  run: (given, terminal) =>
    withKeyedStores(terminal, async ({ participants, note, areEmbedded }) => {
      await note(given, { ws: given.workspace, participant: given.name, action: 'participant-add-asked' });
      const { workspace: ws, name: called, domain: of, types: roles, 'identity-types': seen } = given;
      const added = { name: called, domain: of, types: roles, ...(seen && { identityTypes: seen }) };
      const { secret } = await participants.add({ ws, ...added });
      show(terminal, given, { workspace: ws, ...added, secret }, () => [
        `added ${called} to ${ws}: it takes part in ${roles.join(', ')} and may see ${seen?.join(', ') ?? 'all identities'}`,
        `secret  ${secret}`,
        'This secret is shown once: save it now. It signs the reports of this participant and lets it ask for identities.',
        ...(areEmbedded ? [UNREACHABLE] : []),
      ]);
      return EXIT.ok;
    }),
});

/** `dsr participants list`: shows no secrets. */
export const participantsList = command({
  words: 'participants list',
  meaning: 'lists the outside participants of a workspace',
  options: { workspace, ...jsonOption },
  run: (given, terminal) =>
    withKeyedStores(terminal, async ({ participants }) => {
      const found = await participants.list(given.workspace);
      // Throws for an unknown workspace.
      if (found.length === 0) await participants.participantsOf(given.workspace, 'access');
      show(terminal, given, { participants: found }, () =>
        found.length === 0 ? [`${given.workspace} has no outside participants`] : found.map(lineOf),
      );
      return EXIT.ok;
    }),
});

/** `dsr participants remove`: requests that start from now on do not wait for it. */
export const participantsRemove = command({
  words: 'participants remove',
  meaning:
    'removes an outside participant and ends its secret. Requests that start from now on do not wait ' + 'for it',
  options: { workspace, name, ...answeredFor },
  run: (given, terminal) =>
    withKeyedStores(terminal, async ({ participants, note }) => {
      await note(given, { ws: given.workspace, participant: given.name, action: 'participant-removal-asked' });
      if (!(await participants.remove(given.workspace, given.name)))
        throw new CommandError(`${given.workspace} has no participant ${given.name}`);
      terminal.print(`removed ${given.name} from ${given.workspace}`);
      terminal.print('Started requests still wait for it, but it cannot report any more. For each of them:');
      terminal.print(
        `  dsr participants waive --workspace ${given.workspace} --request ID --name ${given.name} --by ROLE`,
      );
      return EXIT.ok;
    }),
});

const lineOf = ({ name: called, domain: of, types: roles, identityTypes: seen }: OutsideParticipant): string =>
  `${called}  ${of}  ${roles.join(',')}  ${seen?.join(',') ?? 'all identities'}`;
