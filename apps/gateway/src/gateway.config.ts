import {
  checkHttp, checkInternalToken, checkMasterKey, checkSandbox, checkSigning, checkStores, egressSettings, httpSettings, internalTokenSettings,
  masterKeySettings, publicUrlSettings, resultsUrlSettings, sandboxSettings, signingSettings, storeSettings, timingSettings, durationMs, type Values,
} from '@opendsr-service/runtime';
import type { AdmissionTimes } from './requests/admissions';

/** Settings of the gateway alone, whichever process it runs in. */
export const gatewaySettings = {
  ...publicUrlSettings,
  ...egressSettings,
  PUBLISH_WAIT_MS: durationMs({ default: 150, meaning: 'How long an answer waits for the log to take its command; the relay sends it again otherwise.' }),
} as const;

/** Everything that a gateway process reads. */
export const gatewayTable = {
  ...timingSettings('production'),
  ...httpSettings,
  ...storeSettings,
  ...masterKeySettings,
  ...signingSettings,
  ...internalTokenSettings,
  ...resultsUrlSettings,
  ...sandboxSettings,
  ...gatewaySettings,
} as const;

export type GatewayValues = Values<typeof gatewayTable>;

export const checkGateway = (values: GatewayValues): string[] => [
  ...checkHttp(values),
  ...checkStores(values, false),
  ...checkMasterKey(values),
  ...checkSigning(values),
  ...checkInternalToken(values),
  ...checkSandbox(values),
  ...(values.RESULTS_URL === undefined ? ['RESULTS_URL: must be set, it is where results are fetched from'] : []),
];

type Timing = Values<ReturnType<typeof timingSettings>>;

/** The times of an admission as they are configured. */
export const admissionTimes = (values: Timing & { readonly PUBLISH_WAIT_MS: number }): AdmissionTimes => ({
  waitingTimesMs: { access: values.ACCESS_WAIT_MS, portability: values.PORTABILITY_WAIT_MS, erasure: values.ERASURE_WAIT_MS },
  completionMs: values.COMPLETION_ESTIMATE_MS,
  publishWaitMs: values.PUBLISH_WAIT_MS,
});
