import {
  checkHttp,
  checkRequired,
  checkStores,
  httpSettings,
  masterKeySettings,
  storeSettings,
  timingSettings,
  type Values,
} from '@opendsr-service/config';

/**
 * Everything that a request process reads. It has no public port. The master key proves participants' reports; of the keys under
 * which personal data is sealed it has none, nor their database: what it hands on stays sealed.
 */
export const requestTable = {
  ...timingSettings('production'),
  ...httpSettings,
  ...storeSettings,
  ...masterKeySettings,
} as const;

export type RequestValues = Values<typeof requestTable>;

export const checkRequest = (values: RequestValues): string[] => [
  ...checkHttp(values),
  ...checkStores(values, false),
  ...checkRequired(values, ['MASTER_KEY_FILE']),
];
