import { PublicLog } from './public-log.client';

/** The log at the public address of a service. */
export const openPublicLog = (url: string): PublicLog => new PublicLog(url);
