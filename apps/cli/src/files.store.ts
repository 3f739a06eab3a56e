import { open, readFile, rm } from 'node:fs/promises';

export interface NewFile {
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

/** The files that a command is given. Errors name a file, and nothing of what is in it. */
export interface Files {
  bytes(file: string): Promise<Buffer>;
  text(file: string): Promise<string>;
  /** Writes all of the files or none, and never over one that is there. */
  writeNew(files: readonly NewFile[]): Promise<void>;
}

export const files: Files = {
  bytes: bytesOf,
  text: async (file) => (await bytesOf(file)).toString('utf8'),
  writeNew,
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'failed';

async function bytesOf(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    throw new Error(`${file} cannot be read (${codeOf(error)})`);
  });
}

async function writeNew(wanted: readonly NewFile[]): Promise<void> {
  const made: string[] = [];
  try {
    for (const { file, text, mode } of wanted) {
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
