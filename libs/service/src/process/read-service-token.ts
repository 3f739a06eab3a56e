import { readFile } from 'node:fs/promises';
import { StartupError } from './startup-error';

const SHORTEST_CHARS = 32;

/** Reads the token for calls between services. Throws a StartupError without its value. */
export async function readServiceToken(file: string): Promise<string> {
  const token = (await readFile(file, 'utf8')).trim();
  if (token.length < SHORTEST_CHARS || /\s/.test(token))
    throw new StartupError(`${file} must hold one word of at least ${SHORTEST_CHARS} characters`);
  return token;
}
