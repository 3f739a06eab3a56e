import { checkHttp, checkStores, httpSettings, storeSettings, timingSettings, type Values } from '@opendsr-service/runtime';

/** Everything that a request process reads. It has no public port, and no key: what it hands on stays sealed. */
export const requestTable = { ...timingSettings('production'), ...httpSettings, ...storeSettings } as const;

export type RequestValues = Values<typeof requestTable>;

export const checkRequest = (values: RequestValues): string[] => [...checkHttp(values), ...checkStores(values, false)];
