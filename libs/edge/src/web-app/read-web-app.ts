import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of a built web application, by their path below its folder. */
export type WebAppFiles = ReadonlyMap<string, Buffer>;

/** Reads a folder of web files that a build put beside the app; undefined where there is none, as in a process that was not built. */
export async function readWebApp(name: string): Promise<WebAppFiles | undefined> {
  const folder = join(dirname(fileURLToPath(import.meta.url)), name);
  return existsSync(folder) ? filesIn(folder) : undefined;
}

/** Every file below a folder. */
export async function filesIn(folder: string): Promise<WebAppFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = async (path: string): Promise<[string, Buffer]> => [
    path.slice(folder.length + 1).replaceAll(sep, '/'),
    await readFile(path),
  ];
  return new Map(await Promise.all(paths.map(read)));
}
