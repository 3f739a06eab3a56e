import {
  checkGenerations,
  checkMasterKey,
  checkHttp,
  checkRequired,
  checkSecondPass,
  checkStores,
  httpSettings,
  ingestionUrlSettings,
  internalTokenSettings,
  generationSettings,
  masterKeySettings,
  storeSettings,
  timingSettings,
  type Values,
} from '@opendsr-service/config';
import { KEY_CACHE_MS } from '@opendsr-service/vault';

export const resultsTable = {
  ...timingSettings('production'),
  ...httpSettings,
  ...storeSettings,
  ...masterKeySettings,
  ...generationSettings,
  ...internalTokenSettings,
  ...ingestionUrlSettings,
} as const;

export type ResultsValues = Values<typeof resultsTable>;

export const checkResults = (values: ResultsValues): string[] => [
  ...checkHttp(values),
  ...checkStores(values, false),
  ...checkMasterKey(values, false),
  ...checkGenerations(values),
  ...checkSecondPass(values, KEY_CACHE_MS),
  ...checkRequired(values, ['INTERNAL_TOKEN_FILE', 'INGESTION_URL']),
];
