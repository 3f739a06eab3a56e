import { join } from 'node:path';
import {
  checkRequired,
  checkStores,
  masterKeySettings,
  storeSettings,
  storesOf,
  timingSettings,
  type Values,
} from '@opendsr-service/config';

/** What commands read that open the stores and what is sealed in them. */
export const keyedStoreSettings = {
  TIMING_PROFILE: timingSettings('production').TIMING_PROFILE,
  ...storeSettings,
  ...masterKeySettings,
} as const;

type KeyedStores = Values<typeof keyedStoreSettings>;

/** Faults of them. The data folder holds a master key of the embedded stores alone: for real servers it must be named. */
export const checkKeyedStores = (read: KeyedStores): string[] => [
  ...checkStores(read, true),
  ...(storesOf(read).kind === 'embedded' ? [] : checkRequired(read, ['MASTER_KEY_FILE'])),
];

/** Where the master key lies: the file that is named, else the one that the sandbox made in its folder. */
export const masterKeyFileOf = (values: Pick<KeyedStores, 'MASTER_KEY_FILE' | 'DATA_DIR'>): string =>
  values.MASTER_KEY_FILE ?? join(values.DATA_DIR, 'keys', 'master.key');
