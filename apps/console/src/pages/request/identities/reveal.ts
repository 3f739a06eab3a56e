import { api, bodyOf } from '../../../api/client';
import type { components } from '../../../api/operator';

export type Revealed = components['schemas']['RevealedIdentities'];
export type Wish = components['schemas']['OperatorReveal'];

/** Whom a request is about; or a wish that somebody else must approve. */
export const reveal = (ws: string, srid: string, reason: string): Promise<Revealed | Wish> =>
  bodyOf(
    api.POST('/operator/v1/requests/{ws}/{srid}/identities', { params: { path: { ws, srid } }, body: { reason } }),
  );

export const isWish = (answer: Revealed | Wish): answer is Wish => 'state' in answer;
