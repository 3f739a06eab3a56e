import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { repository } from './e2e/repository';

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** An external program that some specs need, with its possible places. */
interface Wanted {
  readonly name: string;
  /** The variable that names it. */
  readonly variable: string;
  /** Files to try if the program is neither named nor on the PATH. */
  readonly beside: readonly string[];
  /** The name of the places for the message that it is missing. */
  readonly places: string;
  /** Why it is not there, where that is known. */
  readonly because?: () => string | undefined;
}

export interface ProgramEnv {
  readonly DSR_REQUIRE_SERVERS?: string;
  readonly PATH?: string;
}

/**
 * Where a program is: what its variable names; else the one of the PATH; else the first of those beside; else `undefined`. Throws when the
 * one that was named does not work, or when there is none and `DSR_REQUIRE_SERVERS` is 1.
 */
export function findProgram(
  { name, variable, beside, places, because }: Wanted,
  named: string | undefined,
  env: ProgramEnv,
): string | undefined {
  if (named && !isProgram(resolve(repository(), named))) throw new Error(`${variable} names no program`);
  if (named) return resolve(repository(), named);
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name));
  const found = [...onPath, ...beside].find(isProgram);
  if (found !== undefined || env.DSR_REQUIRE_SERVERS !== '1') return found;
  throw new Error(
    [`there is no ${name} (${variable}, PATH, ${places}), and DSR_REQUIRE_SERVERS is set`, because?.()]
      .filter(Boolean)
      .join(': '),
  );
}
