import 'reflect-metadata';
import { readProcessSettings, systemClock } from '@opendsr-service/runtime';
import { dsr } from './dsr';
import { keysCreate, keysList, keysRevoke, keysRotate } from './keys/keys.command';
import { participantsWaive } from './participants/participants-waive.command';
import { participantsAdd, participantsList, participantsRemove } from './participants/participants.command';
import { topicsApply, topicsCheck } from './topics/topics.command';
import { workspacesAfterErasure } from './workspaces/after-erasure.command';
import { workspacesCreate, workspacesList } from './workspaces/workspaces.command';

const commands = [
  topicsApply, topicsCheck,
  workspacesCreate, workspacesList, workspacesAfterErasure,
  keysCreate, keysRotate, keysRevoke, keysList,
  participantsAdd, participantsList, participantsRemove, participantsWaive,
];

const code = await dsr(commands, process.argv.slice(2), {
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`dsr: ${line}\n`),
  settings: readProcessSettings,
  now: () => systemClock.now(),
});
process.exit(code);
