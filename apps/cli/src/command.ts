/** One thing that `dsr` can do. Resolves with the exit code. */
export interface Command {
  /** The words after `dsr`. */
  readonly words: string;
  readonly meaning: string;
  run(print: (line: string) => void): Promise<number>;
}

/** Exit codes of every command. */
export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;
