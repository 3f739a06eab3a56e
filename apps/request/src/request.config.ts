import {
  checkHttp,
  checkMasterKey,
  checkStores,
  httpSettings,
  internalTokenSettings,
  masterKeySettings,
  storeSettings,
  timingSettings,
  type Values,
} from '@opendsr-service/config';

/** The settings of a request process. The master key verifies participants' reports; the process has no data keys. */
export const requestTable = {
  ...timingSettings('production'),
  ...httpSettings,
  ...internalTokenSettings,
  ...storeSettings,
  ...masterKeySettings,
} as const;

export type RequestValues = Values<typeof requestTable>;

export const checkRequest = (values: RequestValues): string[] => [
  ...checkHttp(values),
  ...checkStores(values, false),
  ...checkMasterKey(values, false),
];
