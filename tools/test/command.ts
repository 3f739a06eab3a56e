import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';

/** No phase takes this long; one that does is stuck and must not hold the run for ever. */
const phaseTimeoutMs = 30 * 60_000;
const killAfterMs = 10_000;

/** Runs a command of the workspace with its output on the terminal. Resolves to whether it ended well. */
export async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<boolean> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NX_TUI: 'false', ...env },
  });
  const stuck = setTimeout(() => {
    console.error(
      `${command} ${args.join(' ')} did not end in ${String(phaseTimeoutMs / 60_000)} minutes: it is stopped`,
    );
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
  }, phaseTimeoutMs);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } finally {
    clearTimeout(stuck);
  }
}

/** Runs a command whose output says nothing to anybody while all is well. */
export function runQuietly(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((done) => {
    execFile(command, args, (error, stdout, stderr) => {
      if (error) console.error(`${stdout}${stderr}`);
      done(!error);
    });
  });
}
