import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const LIMIT_MS = 170_000;

/** Prints the status of each call on stderr. Ignores polling (`curl -s`). Background processes end with the script. */
const HEAD = `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
curl() {
  if [ "$1" = -s ]; then command curl "$@"; else command curl -sS -w '%{stderr}status %{http_code}\\n' "$@"; fi
}`;

/** The shell blocks of a page, in their order: one script, as a reader would type it. */
export const scriptOf = (page: string): string =>
  [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block).join('\n');

/** What the comments behind its calls promise: `# 201`, or several where calls are nested. */
export const promisedIn = (script: string): string[] =>
  [...script.matchAll(/# (\d{3}(?: \d{3})*)\b/g)].flatMap(([, codes = '']) => codes.split(' '));

interface Place {
  /** Links in the folder of the script, with their targets. */
  readonly links?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** The status of every call of a script up to its first failed line. It runs in a temporary folder. */
export async function statusesOf(script: string, { links = {}, env = {} }: Place = {}): Promise<string[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'opendsr-docs-'));
  await Promise.all(Object.entries(links).map(([name, target]) => symlink(target, join(cwd, name))));
  // A separate process group, so that nothing outlives it.
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${HEAD}\n${script}`], {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const limit = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), LIMIT_MS);
  const [stderr, [code, signal]] = await Promise.all([
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null, string | null]>,
  ]);
  clearTimeout(limit);
  await rm(cwd, { recursive: true });
  const statuses = [...stderr.matchAll(/^status (\d{3})$/gm)].map(([, status = '']) => status);
  return code === 0 ? statuses : [...statuses, `exit code ${String(code ?? signal)}`];
}
