import { ApiError, badRequest, invalid, type Fault } from '@opendsr-service/edge';
import { PROFILE_FULL } from '../identities/identity-limit';
import { fieldAt, wholeAt } from './check-body';

export const erasedFault = (at: string): Fault => ({
  domain: 'Request',
  reason: 'ErasedException',
  message: `${wholeAt(at)} names an erased data subject; this workspace accepts no further data about them.`,
});
export const unknownMpidFault = (at: string): Fault =>
  invalid(`${fieldAt(at, 'mpid')} belongs to no profile, and the batch names no identity.`);

export const profileFullFault = (at: string): Fault => invalid(`${wholeAt(at)} ${PROFILE_FULL}`);

export const erased = (): ApiError => new ApiError(403, [erasedFault('')]);
export const profileFull = (): ApiError => badRequest([profileFullFault('')]);
export const unknownMpid = (): ApiError => badRequest([unknownMpidFault('')]);
