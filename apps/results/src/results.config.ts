import {
  checkGenerations,
  checkRequired,
  checkSecondPass,
  checkService,
  generationSettings,
  ingestionUrlSettings,
  internalTokenSettings,
  serviceSettings,
  type Values,
} from '@opendsr-service/config';
import { KEY_CACHE_MS } from '@opendsr-service/vault';

export const resultsTable = {
  ...serviceSettings,
  ...generationSettings,
  ...internalTokenSettings,
  ...ingestionUrlSettings,
} as const;

export type ResultsValues = Values<typeof resultsTable>;

export const checkResults = (values: ResultsValues): string[] => [
  ...checkService(values),
  ...checkGenerations(values),
  ...checkSecondPass(values, KEY_CACHE_MS),
  ...checkRequired(values, ['INTERNAL_TOKEN_FILE', 'INGESTION_URL']),
];
