import type { Terminal } from '../command';
import { CommandError } from '../command-error';

/** Reads the credentials of a sandbox workspace. Errors name the file, but show no content. */
export async function readSandboxCredentials(
  file: string,
  files: Pick<Terminal['files'], 'text'>,
): Promise<{ readonly key: string; readonly secret: string }> {
  const { key, secret } = parsed(await files.text(file));
  if (!isWord(key) || !isWord(secret))
    throw new CommandError(`${file} does not hold the key and the secret of a sandbox workspace`);
  return { key, secret };
}

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[^\s:]+$/.test(value);

function parsed(text: string): { readonly key?: unknown; readonly secret?: unknown } {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}
