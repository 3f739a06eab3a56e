import { callbackDispatcherSettings, checkDispatchTimes } from '@opendsr-service/callback-dispatcher/config';
import { gatewaySettings } from '@opendsr-service/gateway/config';
import { checkIntake, ingestionSettings } from '@opendsr-service/ingestion/config';
import {
  checkGenerations,
  checkHttp,
  checkLogKey,
  checkMasterKey,
  checkOperator,
  checkPortV1,
  checkRelay,
  checkRotation,
  checkSandbox,
  checkSigning,
  checkStores,
  checkWitnesses,
  generationSettings,
  httpSettings,
  logKeySettings,
  makesMasterKey,
  masterKeySettings,
  sandboxSettings,
  signingSettings,
  storeSettings,
  timingSettings,
  type Values,
} from '@opendsr-service/config';

export const standaloneTable = {
  ...timingSettings('sandbox'),
  ...httpSettings,
  ...storeSettings,
  ...masterKeySettings,
  ...generationSettings,
  ...signingSettings,
  ...logKeySettings,
  ...sandboxSettings,
  ...gatewaySettings,
  ...callbackDispatcherSettings,
  ...ingestionSettings,
} as const;

export type StandaloneValues = Values<typeof standaloneTable>;

export const checkStandalone = (values: StandaloneValues): string[] => [
  ...checkHttp(values),
  ...checkPortV1(values),
  ...checkStores(values, true),
  ...checkDispatchTimes(values),
  ...checkRelay(values),
  ...checkIntake(values),
  ...checkMasterKey(values, makesMasterKey(values)),
  ...checkGenerations(values),
  ...checkRotation(values),
  ...checkLogKey(values),
  ...checkSigning(values, values.TIMING_PROFILE === 'sandbox'),
  ...checkSandbox(values),
  ...checkOperator(values, true),
  ...checkWitnesses(values),
];
