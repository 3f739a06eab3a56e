import { apiCheck } from './api/api-check.command';
import { attestationShow } from './attestation/attestation-show.command';
import { attestationVerify } from './attestation/attestation-verify.command';
import { listenCommand } from './callbacks/listen.command';
import { verifyCommand } from './callbacks/verify.command';
import { certsCheck } from './certs/certs-check.command';
import { certsRequest } from './certs/certs-request.command';
import { certsShow } from './certs/certs-show.command';
import { dbApply, dbCheck } from './db/db.command';
import { doctorCommand } from './doctor/doctor.command';
import { keysCreate, keysList, keysRevoke, keysRotate } from './keys/keys.command';
import { participantsWaive } from './participants/participants-waive.command';
import { participantsAdd, participantsList, participantsRemove } from './participants/participants.command';
import { parkedDrop } from './parked/parked-drop.command';
import { parkedList } from './parked/parked-list.command';
import { parkedRedrive } from './parked/parked-redrive.command';
import { parkedShow } from './parked/parked-show.command';
import { requestsExtend } from './requests/requests-extend.command';
import { requestsList } from './requests/requests-list.command';
import { requestsRecords } from './requests/requests-records.command';
import { requestsShow } from './requests/requests-show.command';
import { projectionsRebuild, projectionsVerify } from './projections/projections.command';
import { restoreCommand } from './restore/restore.command';
import { secretsMake } from './secrets/secrets-make.command';
import { secretsSeal } from './secrets/secrets-seal.command';
import { workspacesSandbox } from './secrets/workspaces-sandbox.command';
import { topicsApply, topicsCheck } from './topics/topics.command';
import { transparencyAudit } from './transparency/transparency-audit.command';
import { transparencyKey } from './transparency/transparency-key.command';
import { workspacesCalendar } from './workspaces/workspace-calendar.command';
import {
  workspacesAfterErasure,
  workspacesClass,
  workspacesDeviceMatching,
} from './workspaces/workspace-settings.command';
import { workspacesCreate, workspacesList } from './workspaces/workspaces.command';

/** All commands, in the order of the help. */
export const commands = [
  secretsMake,
  secretsSeal,
  doctorCommand,
  apiCheck,
  topicsApply,
  topicsCheck,
  dbApply,
  dbCheck,
  workspacesCreate,
  workspacesList,
  workspacesAfterErasure,
  workspacesDeviceMatching,
  workspacesClass,
  workspacesCalendar,
  workspacesSandbox,
  keysCreate,
  keysRotate,
  keysRevoke,
  keysList,
  participantsAdd,
  participantsList,
  participantsRemove,
  participantsWaive,
  requestsList,
  requestsShow,
  requestsRecords,
  requestsExtend,
  parkedList,
  parkedShow,
  parkedRedrive,
  parkedDrop,
  projectionsVerify,
  projectionsRebuild,
  restoreCommand,
  certsShow,
  certsCheck,
  certsRequest,
  transparencyKey,
  transparencyAudit,
  attestationShow,
  attestationVerify,
  listenCommand,
  verifyCommand,
];
