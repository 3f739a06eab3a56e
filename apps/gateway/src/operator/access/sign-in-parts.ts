import type { IdentityProvider, OneTimeLink, Sessions, SignIns } from '@opendsr-service/operator-access';
import type { Clock } from '@opendsr-service/service';

/** What begins sessions: a provider, or the link of a sandbox. */
export interface SignInParts {
  readonly provider: IdentityProvider | undefined;
  readonly link: OneTimeLink | undefined;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly clock: Clock;
}

export const SIGN_IN_PARTS = Symbol('sign-in parts');
