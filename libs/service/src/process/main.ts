import { bufferedStdout } from '../logger/buffered-stdout';
import { createLogger, type Logger } from '../logger/logger';
import {
  environment,
  helpText,
  processSettings,
  ConfigurationError,
  readSettings,
  type ShownSetting,
  shownSettings,
  type Table,
  type Values,
} from '@opendsr-service/config';
import { type Tracing, untraced } from '../tracing/process-traces';
import { startTracing } from '../tracing/tracing';
import { startWait, type WaitFor } from './wait-for';
import { logWarnings } from '../logger/node-warnings';
import { letHeapGrow } from './heap';
import { startWatchdog, type Watchdog } from './watchdog';

type ProcessTable = typeof processSettings;

export interface Host {
  readonly name?: string;
  readonly log: Logger;
  /** Ends the process with one line and exit code 1, for example after a consumer died. */
  readonly fatal: (error: unknown) => void;
  /** The settings of the process, without secrets. */
  readonly settings?: readonly ShownSetting[];
}

export interface StartingHost extends Host {
  /** Waits for what the start needs; all waits together may take START_TIMEOUT_MS. */
  readonly waitFor: WaitFor;
}

interface Program<T extends Table> {
  readonly name: string;
  readonly meaning: string;
  readonly table: T;
  /** Settings that contradict each other, one line for each fault. */
  readonly check?: (values: Values<T>) => readonly string[];
  readonly run: (
    values: Values<T> & Values<ProcessTable>,
    host: StartingHost,
  ) => Promise<{ readonly stop: () => Promise<boolean> }>;
}

const printLines = (name: string, message: string): void => {
  process.stderr.write(
    message
      .split('\n')
      .map((line) => `${name}: ${line}\n`)
      .join(''),
  );
};

interface Stopping {
  readonly delayMs: number;
  readonly limitMs: number;
  readonly watchdog: Watchdog;
}

/** Maximum time for the last spans during a stop. */
const LAST_SPANS_MS = 3_000;
/** Part of the limit that is kept for the exit itself. */
const MARGIN_MS = 100;

/** Stops on the first SIGTERM or SIGINT; a second one, or the limit, exits at once. PID 1 has no default action. */
function stopOnSignals(
  log: Logger,
  { delayMs, limitMs, watchdog }: Stopping,
  stop: () => Promise<boolean>,
  flush: (withinMs: number) => Promise<void>,
): void {
  let asked = false;
  const handle = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(1);
    asked = true;
    log.info({ signal }, 'Stopping');
    watchdog.stopping();
    setTimeout(() => {
      log.error({ limitMs }, 'Stopping took too long');
      process.exit(1);
    }, delayMs + limitMs);
    const endsAt = performance.now() + delayMs + limitMs;
    void stop().then(async (allWell) => {
      await flush(Math.max(0, Math.min(LAST_SPANS_MS, endsAt - performance.now() - MARGIN_MS)));
      log.info({}, 'Stopped');
      process.exit(allWell ? 0 : 1);
    });
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}

/** Runs a program as this process. A failed start prints one line on stderr (one for each setting) and exits with 1. */
export async function main<T extends Table>(program: Program<T>): Promise<void> {
  const { name } = program;
  const table = { ...program.table, ...processSettings };
  let isTold = false;
  const report = (error: unknown): void => {
    if (!isTold) printLines(name, error instanceof ConfigurationError ? error.message : firstLine(error));
    isTold = true;
  };
  const [argument] = process.argv.slice(2);
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(helpText(name, program.meaning, table));
    return;
  }
  letHeapGrow();
  try {
    if (argument !== undefined) throw new ConfigurationError(['takes no arguments but --help']);
    // The compiler cannot infer the values of a generic table.
    const check = program.check as ((values: Values<Table>) => readonly string[]) | undefined;
    const values = readSettings<Table>(table, environment(), check) as Values<T> & Values<ProcessTable>;
    const log = createLogger(name, values.LOG_LEVEL, bufferedStdout());
    logWarnings(log);
    const stopTimes = { delayMs: values.STOP_DELAY_MS, limitMs: values.STOP_TIMEOUT_MS };
    const watchdog = startWatchdog({ app: name, log, stallLimitMs: values.LOOP_STALL_LIMIT_MS, stop: stopTimes });
    const fatal = (error: unknown): void => {
      log.fatal({ error }, 'The process cannot go on');
      process.exit(1);
    };
    process.on('uncaughtException', fatal).on('unhandledRejection', fatal);
    let stop = (): Promise<boolean> => Promise.resolve(false);
    let tracing: Tracing = untraced;
    stopOnSignals(
      log,
      { ...stopTimes, watchdog },
      () => stop(),
      (withinMs) => tracing.stop(withinMs),
    );
    tracing = await startTracing(values, name, log);
    ({ stop } = await program.run(values, {
      name,
      log,
      fatal,
      settings: shownSettings<Table>(table, values),
      waitFor: printingFailures(startWait(values.START_TIMEOUT_MS, log), report),
    }));
  } catch (error) {
    report(error);
    process.exit(1);
  }
}

/** Prints the failure before the stop, because the stop may hang on the same dependency. */
const printingFailures =
  (waitFor: WaitFor, report: (error: unknown) => void): WaitFor =>
  async (what, attempt) => {
    try {
      return await waitFor(what, attempt);
    } catch (error) {
      report(error);
      throw error;
    }
  };

const firstLine = (error: unknown): string =>
  error instanceof Error ? (`${error.message}`.split('\n', 1)[0] ?? error.name) : 'cannot start';
