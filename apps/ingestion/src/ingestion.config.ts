import {
  checkHttp, checkRequired, checkStores, durationMs, httpSettings, internalTokenSettings, masterKeySettings, perProfile, storeSettings, timingSettings, type Values,
} from '@opendsr-service/runtime';
import { KEY_CACHE_MS } from '@opendsr-service/vault';

const SANDBOX_SECOND_PASS_MS = 1_000;

/** Settings of ingestion alone, whichever process it runs in. They stand behind those of the times. */
export const ingestionSettings = {
  ERASURE_SECOND_PASS_MS: durationMs({
    default: perProfile(SANDBOX_SECOND_PASS_MS, KEY_CACHE_MS),
    meaning: 'From the first deletion of an erased profile to the second, which removes what was on its way. No less than processes keep keys in memory, 1min, where there are several.',
  }),
} as const;

/** Everything that an ingestion process reads. */
export const ingestionTable = {
  ...timingSettings('production'),
  ...httpSettings,
  ...storeSettings,
  ...masterKeySettings,
  ...internalTokenSettings,
  ...ingestionSettings,
} as const;

export type IngestionValues = Values<typeof ingestionTable>;

export const checkIngestion = (values: IngestionValues): string[] => [
  ...checkHttp(values),
  ...checkStores(values, false),
  ...checkRequired(values, ['MASTER_KEY_FILE', 'INTERNAL_TOKEN_FILE']),
];
