import { Worker } from 'node:worker_threads';
import type { Logger } from '../logger/logger';

/** Cells of the shared memory: turns of the event loop, and whether the process stops. */
const TURNS = 0;
const STOPPING = 1;

/** While the event loop runs, its own timer ends a stop that is too long first. */
const LATER_MS = 500;
const longestCheckGapMs = 5_000;

/**
 * The program of the thread; a text, because a bundle has no other file. It exits the process through the inspector,
 * which interrupts the main thread: a thread cannot exit its process, and no signal ends PID 1 of a container. It
 * closes stderr first, because Node reports an attached debugger there. Only a hang outside of JavaScript ends in a
 * kill.
 */
const program = `
const { write } = require('node:fs');
const { workerData: { cells, app, everyMs, stall, stop } } = require('node:worker_threads');

let before = performance.now();
let turns = -1;
let stalledMs = 0;
let stoppingMs = 0;

const look = setInterval(() => {
  // A frozen process freezes this thread too: that time does not count.
  const passedMs = Math.min(performance.now() - before, 2 * everyMs);
  before = performance.now();
  const turned = Atomics.load(cells, ${String(TURNS)});
  stalledMs = turned === turns ? stalledMs + passedMs : 0;
  turns = turned;
  if (Atomics.load(cells, ${String(STOPPING)}) === 1) stoppingMs += passedMs;
  if (stoppingMs >= stop.afterMs) strike('error', stop.limitMs, 'Stopping took too long');
  else if (stalledMs >= stall.limitMs) strike('fatal', stall.limitMs, 'The event loop does not turn');
}, everyMs);

function strike(level, limitMs, msg) {
  clearInterval(look);
  setTimeout(end, 1000);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 3000);
  write(1, JSON.stringify({ level, time: new Date().toISOString(), app, limitMs, msg }) + '\\n', end);
}

let isEnding = false;
function end() {
  if (isEnding) return;
  isEnding = true;
  const { Session } = require('node:inspector');
  const session = new Session();
  session.connectToMainThread();
  session.post('Runtime.evaluate', { expression: "process.getBuiltinModule('fs').closeSync(2); process.exit(1)" });
}
`;

interface WatchdogOptions {
  readonly app: string;
  readonly log: Logger;
  readonly stallLimitMs: number;
  readonly stop: { readonly delayMs: number; readonly limitMs: number };
}

export interface Watchdog {
  stopping(): void;
}

/** How often the thread looks: each limit is noticed a tenth later at most. */
export const checkGapMs = ({ stallLimitMs, stop }: Pick<WatchdogOptions, 'stallLimitMs' | 'stop'>): number =>
  Math.max(10, Math.min(longestCheckGapMs, stallLimitMs / 10, (stop.delayMs + stop.limitMs) / 10));

/**
 * A thread that ends this process with exit code 1 and one log line when its event loop blocks for too long, or when a
 * stop takes too long. It keeps no process alive.
 */
export function startWatchdog(options: WatchdogOptions): Watchdog {
  const { app, log, stallLimitMs } = options;
  const { delayMs, limitMs } = options.stop;
  const cells = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const everyMs = checkGapMs(options);
  const workerData = {
    cells,
    app,
    everyMs,
    stall: { limitMs: stallLimitMs },
    stop: { afterMs: delayMs + limitMs + LATER_MS, limitMs },
  };
  const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 };
  const thread = new Worker(program, {
    eval: true,
    name: 'watchdog',
    workerData,
    resourceLimits,
    env: {},
    execArgv: [],
  });
  thread.on('error', (error) => log.error({ error }, 'The watchdog is gone'));
  thread.unref();
  setInterval(() => Atomics.add(cells, TURNS, 1), everyMs).unref();
  return { stopping: () => void Atomics.store(cells, STOPPING, 1) };
}
