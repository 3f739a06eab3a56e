import { PublicLog } from './public-log.client';

/** The log at the public address of a service. `isCosigned`: whether a checkpoint has the cosignatures that are wanted. */
export const openPublicLog = (url: string, isCosigned: (checkpoint: string) => boolean): PublicLog =>
  new PublicLog(url, isCosigned);
