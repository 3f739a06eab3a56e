import type { OperatorValues } from '@opendsr-service/config';
import type { IdentityProvider, OneTimeLink, SessionLimits } from '@opendsr-service/operator-access';
import type { MasterSeal } from '@opendsr-service/vault';

/** What lets operators in. */
export interface OperatorPlatform {
  readonly provider?: IdentityProvider;
  /** Of a sandbox without a provider. */
  readonly link?: OneTimeLink;
  /** Signs waivers. */
  readonly seal: MasterSeal;
}

/** What the operator's API is made of. */
export interface OperatorParts extends OperatorPlatform {
  readonly sessions: SessionLimits;
  readonly callsPerMinute: number;
  readonly revealsPerDay: number;
  /** Whether a second person must approve before identities are shown. */
  readonly revealApproval: boolean;
}

export const operatorParts = (platform: OperatorPlatform, values: OperatorValues): OperatorParts => ({
  ...platform,
  sessions: { idleMs: values.OPERATOR_SESSION_IDLE_MS, longestMs: values.OPERATOR_SESSION_LONGEST_MS },
  callsPerMinute: values.RATE_LIMIT_OPERATOR_CALLS_PER_MINUTE,
  revealsPerDay: values.RATE_LIMIT_OPERATOR_REVEALS_PER_DAY,
  revealApproval: values.OPERATOR_REVEAL_APPROVAL,
});
