import type { WebAppFiles } from '@opendsr-service/edge';
import type { IdentityProvider, OneTimeLink } from '@opendsr-service/operator-access';
import type { MasterSeal } from '@opendsr-service/vault';

/** What lets operators in. */
export interface OperatorPlatform {
  readonly provider?: IdentityProvider;
  /** Of a sandbox without a provider. */
  readonly link?: OneTimeLink;
  /** The built console; absent in a process that was not built. */
  readonly console?: WebAppFiles | undefined;
  /** Whether the console may act as a controller, with the routes of a sandbox in one process. */
  readonly hasFirstRun: boolean;
  /** PEM of the authority that a sandbox made for itself. */
  readonly authorities?: string | undefined;
  /** Signs waivers. */
  readonly seal: MasterSeal;
}
