import {
  checkGenerations,
  checkService,
  checkSigning,
  egressSettings,
  generationSettings,
  int,
  internalTokenSettings,
  publicUrlSettings,
  sendingSettings,
  serviceSettings,
  signingSettings,
  type timingSettings,
  type Values,
} from '@opendsr-service/config';
import { MAX_WAIT_TIMES } from './dispatch/host-queue';
import type { DispatchTimes } from './dispatch/next-step';
import type { DispatchLimits } from './dispatch/traffic';

/** Time for claiming, opening and signing; a longer run renews its claim. */
const LEASE_MARGIN_MS = 10_000;
/** Tolerated clock skew between processes. */
const CLOCKS_MS = 2_000;

export const callbackDispatcherSettings = {
  ...publicUrlSettings,
  ...egressSettings,
  ...sendingSettings,
  CALLBACK_CONCURRENCY: int({
    default: 64,
    min: 1,
    max: 1_000,
    meaning: 'Concurrent callbacks of a process, without those to slow hosts.',
  }),
  CALLBACK_SLOW_CONCURRENCY: int({
    default: 256,
    min: 1,
    max: 10_000,
    meaning: 'Concurrent callbacks of a process to slow hosts, one to each.',
  }),
  CALLBACK_HOST_CONCURRENCY: int({
    default: 8,
    min: 1,
    max: 1_000,
    meaning: 'Concurrent callbacks to one host (name and port) of one workspace.',
  }),
  CALLBACK_BREAKER_FAILURES: int({
    default: 5,
    min: 1,
    max: 1_000_000,
    meaning:
      'After this many consecutive attempts that did not reach a host, sending to it pauses, ' +
      'except for last attempts.',
  }),
} as const;

export const callbackDispatcherTable = {
  ...serviceSettings,
  ...internalTokenSettings,
  ...generationSettings,
  ...signingSettings,
  ...callbackDispatcherSettings,
} as const;

export type CallbackDispatcherValues = Values<typeof callbackDispatcherTable>;

export const checkCallbackDispatcher = (values: CallbackDispatcherValues): string[] => [
  ...checkService(values),
  ...checkGenerations(values),
  ...checkSigning(values, false),
  ...checkDispatchTimes(values),
];

/** The settings of sending, alone or in a process of several services. */
export type DispatchValues = Values<ReturnType<typeof timingSettings> & typeof callbackDispatcherSettings>;

/** A shorter pause would make the worker poll without pause. */
const LEAST_PAUSE_MS = 50;

export const checkDispatchTimes = (values: DispatchValues): string[] => [
  ...(values.CALLBACK_TICK_MS === 0 ? ['CALLBACK_TICK_MS: must be longer than 0'] : []),
  ...(values.CALLBACK_TICK_MS > 0 && values.CALLBACK_SPREAD_MS >= values.CALLBACK_TICK_MS
    ? ['CALLBACK_SPREAD_MS: must be shorter than CALLBACK_TICK_MS']
    : []),
  ...(['CALLBACK_SLOW_MS', 'CALLBACK_BREAKER_PAUSE_MS'] as const)
    .filter((name) => values[name] < LEAST_PAUSE_MS)
    .map((name) => `${name}: must be at least ${LEAST_PAUSE_MS}ms`),
  ...checkRetries(values),
];

/** Gaps must be positive and must not shrink. */
function checkRetries({ CALLBACK_RETRY_GAPS_MS: gaps, CALLBACK_GIVE_UP_MS }: DispatchValues): string[] {
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

export const longestTryMs = (values: DispatchValues): number =>
  values.CALLBACK_TIMEOUT_MS + MAX_WAIT_TIMES * values.CALLBACK_SLOW_MS;

/** The claim outlasts the wait for a host and an attempt, but not by much: after a crash it must expire. */
export const dispatchLimits = (values: DispatchValues): DispatchLimits => ({
  concurrency: values.CALLBACK_CONCURRENCY,
  slowConcurrency: values.CALLBACK_SLOW_CONCURRENCY,
  hostConcurrency: values.CALLBACK_HOST_CONCURRENCY,
  slowMs: values.CALLBACK_SLOW_MS,
  breaker: { failures: values.CALLBACK_BREAKER_FAILURES, pauseMs: values.CALLBACK_BREAKER_PAUSE_MS },
  leaseMs: longestTryMs(values) + LEASE_MARGIN_MS,
  tryMs: values.CALLBACK_TIMEOUT_MS + CLOCKS_MS,
});

export const dispatchTimes = (values: DispatchValues): DispatchTimes => ({
  tickMs: values.CALLBACK_TICK_MS,
  spreadMs: values.CALLBACK_SPREAD_MS,
  retryGapsMs: values.CALLBACK_RETRY_GAPS_MS,
  giveUpAfterMs: values.CALLBACK_GIVE_UP_MS,
});
