import {
  checkHttp, checkRequired, checkSending, checkSigning, checkStores, egressSettings, httpSettings, int, masterKeySettings, publicUrlSettings, sendingSettings, signingSettings, storeSettings, timingSettings, type Values,
} from '@opendsr-service/runtime';
import type { DispatchTimes } from './dispatch/next-step';

/** Settings of the callback-dispatcher alone, whichever process it runs in. */
export const callbackDispatcherSettings = {
  ...publicUrlSettings,
  ...egressSettings,
  ...sendingSettings,
  CALLBACK_CONCURRENCY: int({ default: 64, min: 1, max: 1_000, meaning: 'The most callbacks that a process sends at the same time.' }),
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
];

type Timing = Pick<CallbackDispatcherValues, 'CALLBACK_TICK_MS' | 'CALLBACK_RETRY_GAPS_MS' | 'CALLBACK_GIVE_UP_MS'>;

/** When callbacks are sent and sent again, as it is configured. */
export const dispatchTimes = (values: Timing): DispatchTimes => ({
  tickMs: values.CALLBACK_TICK_MS,
  retryGapsMs: values.CALLBACK_RETRY_GAPS_MS,
  giveUpAfterMs: values.CALLBACK_GIVE_UP_MS,
});
