import { readFile } from 'node:fs/promises';
import type { ServiceTokens } from '@opendsr-service/edge';
import type { Logger } from '../logger/logger';
import { StartupError } from './startup-error';

const SHORTEST_CHARS = 32;
/** Hundreds of calls a second would read the file hundreds of times. */
const KEPT_MS = 1_000;

/** Reads the tokens for calls between services, one on each line. Throws a StartupError without their values. */
export async function readServiceTokens(file: string): Promise<readonly string[]> {
  const tokens = (await readFile(file, 'utf8'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (tokens.length === 0 || tokens.some((token) => token.length < SHORTEST_CHARS || /\s/.test(token)))
    throw new StartupError(`each line of ${file} must hold one word of at least ${SHORTEST_CHARS} characters`);
  return tokens;
}

/**
 * The tokens of a file, which is read again by the first call of each second, so that they can be replaced while services run.
 * While it cannot be read or is not valid, the tokens from before are in force. `nowMs`: a clock that is never set.
 */
export async function openServiceTokens(
  file: string,
  log: Logger,
  nowMs = () => performance.now(),
): Promise<ServiceTokens> {
  let valid = await readServiceTokens(file);
  let readAtMs = nowMs();
  return async () => {
    if (nowMs() - readAtMs < KEPT_MS) return valid;
    readAtMs = nowMs();
    try {
      valid = await readServiceTokens(file);
    } catch (error) {
      log.warn({ error }, 'INTERNAL_TOKEN_FILE holds no valid tokens: those from before are in force');
    }
    return valid;
  };
}
