import { checkService, internalTokenSettings, serviceSettings, type Values } from '@opendsr-service/config';

/** The settings of a request process. The master key verifies participants' reports; the process has no data keys. */
export const requestTable = {
  ...serviceSettings,
  ...internalTokenSettings,
} as const;

export type RequestValues = Values<typeof requestTable>;

export const checkRequest = checkService;
