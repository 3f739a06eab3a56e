import 'reflect-metadata';
import { once } from 'node:events';
import { readProcessSettings, systemClock } from '@opendsr-service/runtime';
import { listenCommand } from './callbacks/listen.command';
import { verifyCommand } from './callbacks/verify.command';
import { certsCheck } from './certs/certs-check.command';
import { certsRequest } from './certs/certs-request.command';
import { certsShow } from './certs/certs-show.command';
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
  certsShow, certsCheck, certsRequest,
  listenCommand, verifyCommand,
];

const code = await dsr(commands, process.argv.slice(2), {
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`dsr: ${line}\n`),
  settings: readProcessSettings,
  now: () => systemClock.now(),
  untilStopped: async () => void (await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)))),
});
process.exit(code);
