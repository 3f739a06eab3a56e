import {
  checkHttp,
  checkRequired,
  checkSending,
  checkSigning,
  checkStores,
  egressSettings,
  httpSettings,
  int,
  masterKeySettings,
  publicUrlSettings,
  sendingSettings,
  signingSettings,
  storeSettings,
  timingSettings,
  type Values,
} from '@opendsr-service/config';
import { MAX_WAIT_TIMES } from './dispatch/host-queue';
import type { DispatchTimes } from './dispatch/next-step';
import type { DispatchLimits } from './dispatch/traffic';

/** For what surrounds a try: claiming, opening, signing. Where that takes longer, the lease is renewed before the try. */
const LEASE_MARGIN_MS = 10_000;
/** By how much the clocks of two processes may differ, and still no callback is under way after its lease. */
const CLOCKS_MS = 2_000;

/** Settings of the callback-dispatcher alone, whichever process it runs in. */
export const callbackDispatcherSettings = {
  ...publicUrlSettings,
  ...egressSettings,
  ...sendingSettings,
  CALLBACK_CONCURRENCY: int({
    default: 64,
    min: 1,
    max: 1_000,
    meaning: 'The most callbacks that a process sends at the same time, beside those to slow hosts.',
  }),
  CALLBACK_SLOW_CONCURRENCY: int({
    default: 256,
    min: 1,
    max: 10_000,
    meaning: 'The most callbacks that a process sends to slow hosts at the same time, one to each.',
  }),
  CALLBACK_HOST_CONCURRENCY: int({
    default: 8,
    min: 1,
    max: 1_000,
    meaning: 'The most of them to one host, by its name and port, of one workspace.',
  }),
  CALLBACK_BREAKER_FAILURES: int({
    default: 5,
    min: 1,
    max: 1_000_000,
    meaning:
      'After so many tries in a row that did not reach a host, nothing is sent to it for a while, but for the last try of what would be given up.',
  }),
} as const;

/** Everything that a callback-dispatcher process reads. It has no public port. */
export const callbackDispatcherTable = {
  ...timingSettings('production'),
  ...httpSettings,
  ...storeSettings,
  ...masterKeySettings,
  ...signingSettings,
  ...callbackDispatcherSettings,
} as const;

export type CallbackDispatcherValues = Values<typeof callbackDispatcherTable>;

export const checkCallbackDispatcher = (values: CallbackDispatcherValues): string[] => [
  ...checkHttp(values),
  ...checkStores(values, false),
  ...checkRequired(values, ['MASTER_KEY_FILE']),
  ...checkSigning(values, false),
  ...checkSending(values),
  ...checkDispatchTimes(values),
];

type Timing = Pick<
  CallbackDispatcherValues,
  'CALLBACK_TICK_MS' | 'CALLBACK_SPREAD_MS' | 'CALLBACK_RETRY_GAPS_MS' | 'CALLBACK_GIVE_UP_MS'
>;

/** Hosts that are slow or away are looked at again after no less than this: below it whoever looks does nothing else. */
const LEAST_PAUSE_MS = 50;

/** Faults of the times at which callbacks are sent. */
export const checkDispatchTimes = (
  values: Timing & Pick<Limits, 'CALLBACK_SLOW_MS' | 'CALLBACK_BREAKER_PAUSE_MS'>,
): string[] => [
  ...(values.CALLBACK_TICK_MS === 0 ? ['CALLBACK_TICK_MS: must be longer than 0'] : []),
  ...(values.CALLBACK_TICK_MS > 0 && values.CALLBACK_SPREAD_MS >= values.CALLBACK_TICK_MS
    ? ['CALLBACK_SPREAD_MS: must be shorter than CALLBACK_TICK_MS']
    : []),
  ...(['CALLBACK_SLOW_MS', 'CALLBACK_BREAKER_PAUSE_MS'] as const)
    .filter((name) => values[name] < LEAST_PAUSE_MS)
    .map((name) => `${name}: must be at least ${LEAST_PAUSE_MS}ms`),
  ...checkRetries(values),
];

/** A wait of 0 is no wait, and one that shrinks is a slip of the pen. */
function checkRetries({ CALLBACK_RETRY_GAPS_MS: gaps, CALLBACK_GIVE_UP_MS }: Timing): string[] {
  const [first = 0] = gaps;
  return [
    ...(gaps.some((gap, n) => gap === 0 || gap < (gaps[n - 1] ?? 0))
      ? ['CALLBACK_RETRY_GAPS_MS: must be durations longer than 0, none shorter than the one before']
      : []),
    ...(CALLBACK_GIVE_UP_MS < Math.max(1, first)
      ? ['CALLBACK_GIVE_UP_MS: must be longer than 0, and not shorter than the first of CALLBACK_RETRY_GAPS_MS']
      : []),
  ];
}

type Limits = Pick<
  CallbackDispatcherValues,
  | 'CALLBACK_CONCURRENCY'
  | 'CALLBACK_SLOW_CONCURRENCY'
  | 'CALLBACK_HOST_CONCURRENCY'
  | 'CALLBACK_SLOW_MS'
  | 'CALLBACK_BREAKER_FAILURES'
  | 'CALLBACK_BREAKER_PAUSE_MS'
  | 'CALLBACK_TIMEOUT_MS'
>;

/** How long a try takes at the most, with the wait for its host. */
export const longestTryMs = (values: Pick<Limits, 'CALLBACK_TIMEOUT_MS' | 'CALLBACK_SLOW_MS'>): number =>
  values.CALLBACK_TIMEOUT_MS + MAX_WAIT_TIMES * values.CALLBACK_SLOW_MS;

/** How much is sent at the same time. The lease outlasts a wait for the host and a try, and not much more: after a crash its claims are waited for. */
export const dispatchLimits = (values: Limits): DispatchLimits => ({
  concurrency: values.CALLBACK_CONCURRENCY,
  slowConcurrency: values.CALLBACK_SLOW_CONCURRENCY,
  hostConcurrency: values.CALLBACK_HOST_CONCURRENCY,
  slowMs: values.CALLBACK_SLOW_MS,
  breaker: { failures: values.CALLBACK_BREAKER_FAILURES, pauseMs: values.CALLBACK_BREAKER_PAUSE_MS },
  leaseMs: longestTryMs(values) + LEASE_MARGIN_MS,
  tryMs: values.CALLBACK_TIMEOUT_MS + CLOCKS_MS,
});

/** When callbacks are sent and sent again, as it is configured. */
export const dispatchTimes = (values: Timing): DispatchTimes => ({
  tickMs: values.CALLBACK_TICK_MS,
  spreadMs: values.CALLBACK_SPREAD_MS,
  retryGapsMs: values.CALLBACK_RETRY_GAPS_MS,
  giveUpAfterMs: values.CALLBACK_GIVE_UP_MS,
});
