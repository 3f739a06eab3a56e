import { AsyncLocalStorage } from 'node:async_hooks';

const gathered = new AsyncLocalStorage<string[]>();
const open = new Set<string[]>();

/** Prints a line, or keeps it where the output of a phase is gathered. */
export function print(line: string): void {
  const output = gathered.getStore();
  if (output) output.push(`${line}\n`);
  else console.log(line);
}

/** Where the output of a command goes, now: into the phase that gathers it, or undefined for the terminal. */
export function gatherer(): ((chunk: string) => void) | undefined {
  const output = gathered.getStore();
  return output && ((chunk) => void output.push(chunk));
}

/** Runs phases beside each other without mixing what they say: the output of `work` is printed whole when it ends. */
export async function gatherOutput<T>(work: () => Promise<T>): Promise<T> {
  const output: string[] = [];
  open.add(output);
  try {
    return await gathered.run(output, work);
  } finally {
    open.delete(output);
    process.stdout.write(output.join(''));
  }
}

/** The output of unfinished phases, for an interrupted run. */
export function printUnfinished(): void {
  for (const output of open) process.stdout.write(output.join(''));
}
