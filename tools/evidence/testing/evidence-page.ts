import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { repository } from '../../e2e/repository';

const run = promisify(execFile);
const page = readFileSync(repository('docs/evidence.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

/** The block of commands of docs/evidence.md that holds these words. */
export function blockWith(words: string): string {
  const block = blocks.find((one) => one.includes(words));
  if (block === undefined) throw new Error(`docs/evidence.md has no commands with ${words}`);
  return block;
}

export const has = (...programs: string[]): boolean =>
  programs.every((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0);

const required = process.env.DSR_REQUIRE_PROGRAMS === '1';

/** Whether programs that are compiled or fetched for it run too: Go compiles its own library first, which takes a minute. */
export const FULL = process.env.DSR_INT === 'full' || required;

/** Says that one of them is missing, and what did not run; throws where `DSR_REQUIRE_PROGRAMS=1` demands it. */
export function missing(what: string): void {
  if (required) throw new Error(`${what}, and DSR_REQUIRE_PROGRAMS is set`);
  console.log(`${what}.`);
}

/** Whether there is Go, with the modules that the page names. They come from the network at the first run. */
export const hasGo = (): boolean =>
  has('go') &&
  spawnSync('go', ['mod', 'download'], { cwd: repository('libs/transparency/vectors/go'), stdio: 'ignore' }).status ===
    0;

/** Runs commands of the page in a folder. */
export const follow = (block: string, cwd: string, env: Readonly<Record<string, string>>) =>
  run('bash', ['-c', `set -e -o pipefail\n${block}`], { cwd, env: { ...process.env, ...env } });
