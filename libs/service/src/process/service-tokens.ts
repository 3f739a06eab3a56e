import { readFile } from 'node:fs/promises';
import type { ServiceTokens } from '@opendsr-service/edge';
import type { Logger } from '../logger/logger';
import { StartupError } from './startup-error';

const SHORTEST_CHARS = 32;

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
 * The tokens of a file, which is read again for each call, so that they can be replaced while services run. While it
 * cannot be read or is not valid, the tokens from before are in force.
 */
export async function openServiceTokens(file: string, log: Logger): Promise<ServiceTokens> {
  let valid = await readServiceTokens(file);
  return async () => {
    try {
      valid = await readServiceTokens(file);
    } catch (error) {
      log.warn({ error }, 'INTERNAL_TOKEN_FILE holds no valid tokens: those from before are in force');
    }
    return valid;
  };
}
