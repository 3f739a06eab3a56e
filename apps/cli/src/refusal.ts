import { types } from 'node:util';
import { PublishRefused } from '@opendsr-service/messaging';
import { ConfigurationError } from '@opendsr-service/config';
import { isUnavailable, missingDependencyIn } from '@opendsr-service/service';
import { EXIT } from './command';
import { UsageError } from './options';
import { isShowable } from './showable-errors';

/** Why a command came to nothing: for people, and for whatever called it. */
interface Refusal {
  readonly code: number;
  readonly lines: readonly string[];
}

const SERVERS: readonly (string | undefined)[] = ['Kafka', 'MongoDB'];

/** What errors of the system mean. Their own words name paths and addresses. */
const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'a file or folder is not there',
  ENOTDIR: 'what should be a folder is none',
  EISDIR: 'what should be a file is a folder',
  EACCES: 'this user may not use a file, folder or port',
  EPERM: 'this user may not use a file, folder or port',
  EROFS: 'a folder can only be read',
  ENOSPC: 'the disk is full',
  EADDRINUSE: 'the port is taken by another program',
  EADDRNOTAVAIL: 'this machine has no such address',
};

/** What an error of a command means. Words of drivers and of the system are not repeated: they hold addresses, paths and values. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof UsageError) return { code: EXIT.usage, lines: [error.message] };
  if (error instanceof ConfigurationError) return { code: EXIT.failed, lines: error.faults };
  if (isShowable(error))
    return { code: passes(error) ? EXIT.away : EXIT.failed, lines: [error.message.split('\n', 1)[0] ?? error.name] };
  const lack = missingDependencyIn(error);
  if (lack && SERVERS.includes(lack.what))
    return { code: lack.isFinal ? EXIT.failed : EXIT.away, lines: [`${lack.what}: ${lack.why}`] };
  return { code: passes(error) ? EXIT.away : EXIT.failed, lines: [unknownKind(error)] };
}

/** Whether it may succeed later as it is. That a topic does not exist, or a record is too large, passes by no waiting. */
const passes = (error: unknown): boolean =>
  error instanceof PublishRefused ? error.reason === 'away' || error.reason === 'full' : isUnavailable(error);

function unknownKind(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  if (typeof code === 'string' && Object.hasOwn(SYSTEM, code)) return `${SYSTEM[code]} (${code})`;
  return `${isUnavailable(error) ? 'the stores cannot be used now' : 'it could not be done'} (${nameOf(error)})`;
}

const word = (value: unknown): string | undefined => (/^\w{1,64}$/.test(String(value)) ? String(value) : undefined);

/** The name of an error with its code, by which its maker knows it. */
function nameOf(error: unknown): string {
  if (!types.isNativeError(error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  return [word(error.name) ?? 'Error', code === undefined ? undefined : word(code)]
    .filter((part) => part !== undefined)
    .join(' ');
}
