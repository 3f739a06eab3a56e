import { GroupInUse, OffsetOutOfRange, PublishRefused, PublishTimeout, UnknownTopic } from '@opendsr-service/messaging';
import { ProjectionError } from '@opendsr-service/replay';
import { StartupError } from '@opendsr-service/service';
import { SigningError } from '@opendsr-service/signing';
import { DataDirectoryHeld, DataFileExposed } from '@opendsr-service/storage';
import { KeyServiceAway, VaultError } from '@opendsr-service/vault';
import {
  KeyEnded,
  KeyRotated,
  NameTaken,
  TooManyKeys,
  TooManyParticipants,
  UnknownKey,
  UnknownWorkspace,
  WorkspaceTaken,
} from '@opendsr-service/workspaces';
import { CommandError } from './command-error';

const SHOWABLE_ERRORS = [
  ...[
    CommandError,
    StartupError,
    ProjectionError,
    VaultError,
    KeyServiceAway,
    SigningError,
    DataDirectoryHeld,
    DataFileExposed,
  ],
  ...[GroupInUse, OffsetOutOfRange, PublishRefused, PublishTimeout, UnknownTopic],
  ...[KeyEnded, KeyRotated, NameTaken, TooManyKeys, TooManyParticipants, UnknownKey, UnknownWorkspace, WorkspaceTaken],
];

/** Whether the message of an error may be shown: it is ours and names only what the operator named, such as a file. */
export const isShowable = (error: unknown): error is Error => SHOWABLE_ERRORS.some((kind) => error instanceof kind);
