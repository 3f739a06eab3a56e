import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BenchResult } from './result';

/** The figures of the last release. Every run is compared with them, and `npm run capacity` reads them. */
export const RELEASE_FILE = 'tools/bench/release.json';

/** What is read back of a file that a run wrote. */
export type KeptResult = Pick<BenchResult, 'startedAt' | 'commit' | 'machine' | 'forms'>;

const DIGITS = 4;

/** Figures have as many digits as a repeated run confirms. */
export const textOf = (result: object): string =>
  `${JSON.stringify(result, (_name, value: unknown) => (isFraction(value) ? Number(value.toPrecision(DIGITS)) : value), 2)}\n`;

const isFraction = (value: unknown): value is number => typeof value === 'number' && !Number.isInteger(value);

/** The commit of the working copy, marked where files differ from it. */
export const commitOf = (): Promise<string | null> =>
  promisify(execFile)('git', ['describe', '--always', '--dirty']).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );

/** Below a table: what its column "of before" compares with. */
export const againstLine = ({ startedAt, commit, machine }: KeptResult, file: string): string =>
  `before: ${file}, ${startedAt.slice(0, 10)}, ${commit ?? 'no commit'}, ` +
  `${String(machine.cores)} cores of ${machine.cpu.trim()}, Node ${machine.node}`;
