import { choice, durationMs } from './parsers';
import type { Values } from './setting';
import { traceSettings } from './trace-settings';

/** Less would end processes that only compile or compress something. */
const leastStallMs = 1_000;

/** Settings of every process; `main` adds them to each table. */
export const processSettings = {
  LOG_LEVEL: choice(['debug', 'info', 'warn', 'error'], {
    default: 'info',
    meaning: 'The lowest level that is logged.',
  }),
  START_TIMEOUT_MS: durationMs({
    default: 120_000,
    meaning:
      'How long a starting process waits for MongoDB, Kafka and its topics; then it exits with 1. ' +
      'Longer after a restore of a large installation.',
  }),
  STOP_DELAY_MS: durationMs({
    default: 0,
    meaning: 'How long a stopping process still accepts requests, so that load balancers notice.',
  }),
  STOP_TIMEOUT_MS: durationMs({
    default: 25_000,
    meaning: 'After this, from the end of STOP_DELAY_MS on, a stopping process exits with 1.',
  }),
  LOOP_STALL_LIMIT_MS: durationMs({
    default: 60_000,
    meaning:
      'A process whose event loop blocks for this time exits with 1; at least 1s. Time in which ' +
      'the whole process is frozen does not count.',
  }),
  ...traceSettings,
} as const;

/** Faults of what every process has, one line each. */
export const checkProcess = ({
  LOOP_STALL_LIMIT_MS,
}: Pick<Values<typeof processSettings>, 'LOOP_STALL_LIMIT_MS'>): string[] =>
  LOOP_STALL_LIMIT_MS < leastStallMs ? ['LOOP_STALL_LIMIT_MS: must be at least 1s'] : [];
