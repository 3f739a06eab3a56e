import { checkHttp, httpSettings } from './http-settings';
import { checkMasterKey, masterKeySettings } from './key-settings';
import type { Values } from './setting';
import { checkStores, storeSettings } from './store-settings';
import { timingSettings } from './timing-settings';

/** What each of the five services reads: times, listeners, stores and the master key. */
export const serviceSettings = {
  ...timingSettings('production'),
  ...httpSettings,
  ...storeSettings,
  ...masterKeySettings,
} as const;

/** Faults of these. Only standalone has embedded stores, and makes a master key. */
export const checkService = (values: Values<typeof serviceSettings>): string[] => [
  ...checkHttp(values),
  ...checkStores(values, false),
  ...checkMasterKey(values, false),
];
