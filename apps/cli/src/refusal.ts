import { types } from 'node:util';
import { ConfigurationError } from '@opendsr-service/config';
import { isUnavailable, missingDependencyIn } from '@opendsr-service/service';
import { VaultError } from '@opendsr-service/vault';
import { EXIT } from './command';
import { UsageError } from './options';
import { isShowable } from './showable-errors';

/** Why a command failed: lines and exit code. */
interface Refusal {
  readonly code: number;
  readonly lines: readonly string[];
}

const SERVERS: readonly (string | undefined)[] = ['Kafka', 'MongoDB'];

/** What system errors mean. Node's messages contain paths and addresses. */
const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'a file or folder does not exist',
  ENOTDIR: 'a path is not a folder',
  EISDIR: 'a path is a folder, not a file',
  EACCES: 'this user may not use a file, folder or port',
  EPERM: 'this user may not use a file, folder or port',
  EROFS: 'a folder is read-only',
  ENOSPC: 'the disk is full',
  EADDRINUSE: 'another program uses the port',
  EADDRNOTAVAIL: 'this machine has no such address',
};

/** Explains an error without messages of drivers and of the system: these contain addresses, paths and values. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof UsageError) return { code: EXIT.usage, lines: [error.message] };
  if (error instanceof ConfigurationError) return { code: EXIT.failed, lines: error.faults };
  // A key that is lost or refused comes back by an operator, not by a later call.
  const code = isUnavailable(error) && !(error instanceof VaultError) ? EXIT.away : EXIT.failed;
  if (isShowable(error)) return { code, lines: [error.message.split('\n', 1)[0] ?? error.name] };
  const lack = missingDependencyIn(error);
  if (lack && SERVERS.includes(lack.what))
    return { code: lack.isFinal ? EXIT.failed : EXIT.away, lines: [`${lack.what}: ${lack.why}`] };
  return { code, lines: [unknownKind(error)] };
}

function unknownKind(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  if (typeof code === 'string' && Object.hasOwn(SYSTEM, code)) return `${SYSTEM[code]} (${code})`;
  return `${isUnavailable(error) ? 'the stores are not available now' : 'the command failed'} (${nameOf(error)})`;
}

const word = (value: unknown): string | undefined => (/^\w{1,64}$/.test(String(value)) ? String(value) : undefined);

function nameOf(error: unknown): string {
  if (!types.isNativeError(error)) return 'unknown';
  const { code } = error as { readonly code?: unknown };
  return [word(error.name) ?? 'Error', code === undefined ? undefined : word(code)]
    .filter((part) => part !== undefined)
    .join(' ');
}
