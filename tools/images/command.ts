import { execFile } from 'node:child_process';

export interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errorOutput: string;
}

const mostOutputBytes = 64 * 1024 * 1024;

/** Runs a command to its end. */
export function runToEnd(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { maxBuffer: mostOutputBytes, env: { ...process.env, ...env } },
      (_error, output, errorOutput) => {
        resolve({ code: child.exitCode ?? 1, output, errorOutput });
      },
    );
  });
}

/** What a command says that has to end well; else an error with what it complained of. */
export async function must(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, output, errorOutput } = await runToEnd(command, args, env);
  if (code !== 0)
    throw new Error(
      `${command} ${args.slice(0, 3).join(' ')} ended with ${String(code)}:\n${output.slice(-4_000)}${errorOutput}`,
    );
  return output.trim();
}
