import { access, constants, link, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { writeWholeFile } from '@opendsr-service/storage';
import { CommandError } from './command-error';

interface NewFile {
  readonly file: string;
  readonly text: string;
  readonly mode: number;
}

/** The files of a command. Errors name a file, but show no content. */
export interface Files {
  /** `-`: the standard input. */
  bytes(file: string): Promise<Buffer>;
  text(file: string): Promise<string>;
  has(file: string): Promise<boolean>;
  /** Whether users other than its owner can read or change it; a group may read a file, not a folder. */
  isOpenToOthers(file: string): Promise<boolean>;
  isWritable(file: string): Promise<boolean>;
  /** Whether this process may change its mode. */
  isOwn(file: string): Promise<boolean>;
  /** The free space for users other than root. */
  freeBytes(folder: string): Promise<number>;
  /** Writes all files or none; overwrites no file. */
  writeNew(files: readonly NewFile[]): Promise<void>;
  /** Writes the whole file in place of the one that may be there, or leaves that as it is. */
  replace(file: NewFile): Promise<void>;
}

export const files: Files = {
  bytes: bytesOf,
  text: async (file) => (await bytesOf(file)).toString('utf8'),
  has: (file) =>
    access(file).then(
      () => true,
      () => false,
    ),
  isOpenToOthers: async (file) => {
    const facts = await stat(file);
    // A cluster gives a secret to the group of the pod.
    return (facts.mode & (facts.isFile() ? 0o037 : 0o077)) !== 0;
  },
  isOwn: async (file) => (await stat(file)).uid === process.getuid?.(),
  isWritable: (file) =>
    access(file, constants.W_OK).then(
      () => true,
      () => false,
    ),
  freeBytes: async (folder) => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
  writeNew,
  replace: (wanted) => writeWhole(wanted, rename),
};

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'failed';

async function bytesOf(file: string): Promise<Buffer> {
  return (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read (${codeOf(error)})`);
  });
}

async function writeNew(wanted: readonly NewFile[]): Promise<void> {
  const made: string[] = [];
  try {
    for (const one of wanted) {
      await writeWhole(one, link);
      made.push(one.file);
    }
  } catch (error) {
    for (const file of made) await rm(file);
    throw error;
  }
}

/** A crash must not leave an empty file, which would never be overwritten. */
async function writeWhole(
  { file, text, mode }: NewFile,
  place: (draft: string, file: string) => Promise<void>,
): Promise<void> {
  try {
    await writeWholeFile(file, text, place, mode);
  } catch (error) {
    throw refused(file, error);
  }
}

const refused = (file: string, error: unknown): Error =>
  new CommandError(
    codeOf(error) === 'EEXIST'
      ? `${file} exists already and is not overwritten`
      : `${file} cannot be written (${codeOf(error)})`,
  );
