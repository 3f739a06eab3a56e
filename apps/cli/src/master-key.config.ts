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

/** The settings of commands that open the stores and sealed data. */
export const keyedStoreSettings = {
  TIMING_PROFILE: timingSettings('production').TIMING_PROFILE,
  ...storeSettings,
  ...masterKeySettings,
} as const;

type KeyedStores = Values<typeof keyedStoreSettings>;

/** The data folder holds only the master key of the embedded stores: real servers need MASTER_KEY_FILE. */
export const checkKeyedStores = (read: KeyedStores): string[] => [
  ...checkStores(read, true),
  ...(storesOf(read).kind === 'embedded' ? [] : checkRequired(read, ['MASTER_KEY_FILE'])),
];

/** The named file of the master key, or the sandbox's. */
export const masterKeyFileOf = (values: Pick<KeyedStores, 'MASTER_KEY_FILE' | 'DATA_DIR'>): string =>
  values.MASTER_KEY_FILE ?? join(values.DATA_DIR, 'keys', 'master.key');
