import type { readProcessSettings } from '@opendsr-service/config';
import type { Files } from './files.store';
import { givenOptions, usageOf, type Given, type Options } from './options';

/** The environment of a command. */
export interface Terminal {
  readonly print: (line: string) => void;
  /** Reads a table of settings from the environment; throws a ConfigurationError. */
  readonly settings: typeof readProcessSettings;
  readonly now: () => Date;
  readonly files: Files;
  /** Resolves at Ctrl-C or SIGTERM. Without a call to this, these end the process at once. */
  readonly untilStopped: () => Promise<void>;
}

/** One command of `dsr`. */
export interface Command {
  /** The one or two words after `dsr`. */
  readonly words: string;
  readonly meaning: string;
  /** The options as `--help` shows them. */
  readonly usage: string;
  /** Resolves with the exit code; throws a UsageError for invalid options. */
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>;
}

interface Definition<O extends Options> extends Pick<Command, 'words' | 'meaning'> {
  readonly options: O;
  readonly run: (given: Given<O>, terminal: Terminal) => Promise<number>;
}

/** Defines a command that reads its options first. */
export const command = <const O extends Options>({ words, meaning, options, run }: Definition<O>): Command => ({
  words,
  meaning,
  usage: usageOf(options),
  run: async (args, terminal) => run(givenOptions(args, options), terminal),
});

/**
 * Exit codes. `failed` includes differences and failed checks; `away`: Kafka or MongoDB is unreachable or refuses the
 * login.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, away: 3 } as const;
