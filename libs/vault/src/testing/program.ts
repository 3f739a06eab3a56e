import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A program that tools/evidence/get-programs.sh puts into this folder of `reports`. */
export const programIn = (folder: string, name: string): string => join(__dirname, '../../../../reports', folder, name);

/** Whether it is there. Throws where it is not, and `DSR_REQUIRE_PROGRAMS=1` asks for it. */
export function isThere(program: string): boolean {
  const found = existsSync(program);
  if (!found && process.env.DSR_REQUIRE_PROGRAMS === '1')
    throw new Error(`${program} is missing, and DSR_REQUIRE_PROGRAMS is set`);
  return found;
}
