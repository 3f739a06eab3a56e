import { open, readFile, rm } from 'node:fs/promises';

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'failed';

/** The bytes of a file; the error of one that cannot be read names it, and nothing of what is in it. */
export async function bytesOf(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    throw new Error(`${file} cannot be read (${codeOf(error)})`);
  });
}

export const textOf = async (file: string): Promise<string> => (await bytesOf(file)).toString('utf8');

export interface NewFile {
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

/** Writes all of the files or none, and never over one that is there. */
export async function writeNew(files: readonly NewFile[]): Promise<void> {
  const made: string[] = [];
  try {
    for (const { file, text, mode } of files) {
      const handle = await open(file, 'wx', mode).catch((error: unknown) => { throw refused(file, error); });
      made.push(file);
      await handle.writeFile(text).finally(() => handle.close());
    }
  } catch (error) {
    for (const file of made) await rm(file);
    throw error;
  }
}

const refused = (file: string, error: unknown): Error =>
  new Error(codeOf(error) === 'EEXIST' ? `${file} is there already, and nothing is written over it` : `${file} cannot be written (${codeOf(error)})`);
