import type { readProcessSettings } from '@opendsr-service/config';
import type { Files } from './files.store';
import { givenOptions, usageOf, type Given, type Options } from './options';

/** What a command works with beside its options. */
export interface Terminal {
  readonly print: (line: string) => void;
  /** Reads a table of settings from the environment; throws a ConfigurationError. */
  readonly settings: typeof readProcessSettings;
  readonly now: () => Date;
  readonly files: Files;
  /** Resolves when somebody wants the command to end (Ctrl-C, SIGTERM). Until a command asks, that ends it at once. */
  readonly untilStopped: () => Promise<void>;
}

/** One thing that `dsr` can do. */
export interface Command {
  /** The word or two after `dsr`; what follows them are options. */
  readonly words: string;
  readonly meaning: string;
  /** The options as `--help` shows them; empty where there are none. */
  readonly usage: string;
  /** Resolves with the exit code; throws a UsageError for options that it does not understand. */
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>;
}

interface Definition<O extends Options> extends Pick<Command, 'words' | 'meaning'> {
  readonly options: O;
  readonly run: (given: Given<O>, terminal: Terminal) => Promise<number>;
}

/** A command that reads its options before it does anything. */
export const command = <const O extends Options>({ words, meaning, options, run }: Definition<O>): Command => ({
  words,
  meaning,
  usage: usageOf(options),
  run: async (args, terminal) => run(givenOptions(args, options), terminal),
});

/**
 * Exit codes of every command. `failed` is also said where something differs or a check did not pass, `away` where
 * Kafka or MongoDB cannot be reached, or lets nobody in.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, away: 3 } as const;
