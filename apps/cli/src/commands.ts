import { listenCommand } from './callbacks/listen.command';
import { verifyCommand } from './callbacks/verify.command';
import { certsCheck } from './certs/certs-check.command';
import { certsRequest } from './certs/certs-request.command';
import { certsShow } from './certs/certs-show.command';
import { keysCreate, keysList, keysRevoke, keysRotate } from './keys/keys.command';
import { participantsWaive } from './participants/participants-waive.command';
import { participantsAdd, participantsList, participantsRemove } from './participants/participants.command';
import { secretsMake } from './secrets/secrets-make.command';
import { workspacesSandbox } from './secrets/workspaces-sandbox.command';
import { topicsApply, topicsCheck } from './topics/topics.command';
import { workspacesAfterErasure } from './workspaces/after-erasure.command';
import { workspacesClass } from './workspaces/workspace-class.command';
import { workspacesCreate, workspacesList } from './workspaces/workspaces.command';

/** All that `dsr` can do, in the order of its help. */
export const commands = [
  secretsMake,
  topicsApply, topicsCheck,
  workspacesCreate, workspacesList, workspacesAfterErasure, workspacesClass, workspacesSandbox,
  keysCreate, keysRotate, keysRevoke, keysList,
  participantsAdd, participantsList, participantsRemove, participantsWaive,
  certsShow, certsCheck, certsRequest,
  listenCommand, verifyCommand,
];
