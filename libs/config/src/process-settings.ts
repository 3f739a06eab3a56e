import { choice, timerMs } from './parsers';
import { traceSettings } from './trace-settings';

/** Less would end processes that only compile or compress something. */
const LEAST_STALL_MS = 1_000;

/** One timer covers both parts of a stop. */
const LONGEST_STOP_MS = 86_400_000;

/** Settings of every process; `main` adds them to each table. */
export const processSettings = {
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error'], {
    default: 'info',
    meaning: 'The lowest level that is logged.',
  }),
  START_TIMEOUT_MS: timerMs({
    default: 120_000,
    meaning:
      'How long a starting process waits for MongoDB, Kafka and its topics; then it exits with 1. ' +
      'Longer after a restore of a large installation.',
  }),
  STOP_DELAY_MS: timerMs({
    min: 0,
    max: LONGEST_STOP_MS,
    default: 0,
    meaning: 'How long a stopping process still accepts requests, so that load balancers notice.',
  }),
  STOP_TIMEOUT_MS: timerMs({
    max: LONGEST_STOP_MS,
    default: 25_000,
    meaning: 'After this, from the end of STOP_DELAY_MS on, a stopping process exits with 1.',
  }),
  LOOP_STALL_LIMIT_MS: timerMs({
    min: LEAST_STALL_MS,
    default: 60_000,
    meaning:
      'A process whose event loop blocks for this time exits with 1. Time in which ' +
      'the whole process is frozen does not count.',
  }),
  ...traceSettings,
} as const;
