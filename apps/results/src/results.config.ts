import {
  checkHttp,
  checkRequired,
  checkSecondPass,
  checkStores,
  httpSettings,
  ingestionUrlSettings,
  internalTokenSettings,
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
  ...internalTokenSettings,
  ...ingestionUrlSettings,
} as const;

export type ResultsValues = Values<typeof resultsTable>;

export const checkResults = (values: ResultsValues): string[] => [
  ...checkHttp(values),
  ...checkStores(values, false),
  ...checkSecondPass(values, KEY_CACHE_MS),
  ...checkRequired(values, ['MASTER_KEY_FILE', 'INTERNAL_TOKEN_FILE', 'INGESTION_URL']),
];
