import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A path of this repository, from wherever inside of it a suite or tool was started. */
export function repository(...path: string[]): string {
  let folder = process.cwd();
  while (!existsSync(join(folder, 'nx.json'))) {
    if (dirname(folder) === folder) throw new Error('this is not run from inside of the repository');
    folder = dirname(folder);
  }
  return join(folder, ...path);
}
