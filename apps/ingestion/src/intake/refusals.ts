import { ApiError, badRequest, invalid, type Fault } from '@opendsr-service/edge';
import { fieldAt, wholeAt } from './check-body';

export const erasedFault = (at: string): Fault => ({
  domain: 'Request',
  reason: 'ErasedException',
  message: `${wholeAt(at)} names a person who was erased; this workspace takes no further data of them.`,
});
export const unknownMpidFault = (at: string): Fault =>
  invalid(`${fieldAt(at, 'mpid')} is that of no profile, and no identity is named beside it.`);

export const erased = (): ApiError => new ApiError(403, [erasedFault('')]);
export const unknownMpid = (): ApiError => badRequest([unknownMpidFault('')]);
