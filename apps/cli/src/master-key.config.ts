import {
  checkGenerations,
  checkMasterKey,
  checkStores,
  generationSettings,
  masterKeySettings,
  storeSettings,
  storesOf,
  timingSettings,
  type Values,
} from '@opendsr-service/config';

/** The settings of commands that open the stores and sealed data. */
export const keyedStoreSettings = {
  TIMING_PROFILE: timingSettings('production').TIMING_PROFILE,
  ...storeSettings,
  ...masterKeySettings,
  ...generationSettings,
} as const;

type KeyedStores = Values<typeof keyedStoreSettings>;

/** The data folder holds only the master key of the embedded stores: real servers need MASTER_KEY_FILE. */
export const checkKeyedStores = (read: KeyedStores): string[] => [
  ...checkStores(read, true),
  ...checkMasterKey(read, storesOf(read).kind === 'embedded'),
  ...checkGenerations(read),
];
