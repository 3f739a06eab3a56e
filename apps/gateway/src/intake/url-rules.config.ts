import {
  callbackUrlFault,
  egressSources,
  refusedNames,
  type EgressSources,
  type RefusesNames,
} from '@opendsr-service/edge';
import { egressPolicyOf } from '@opendsr-service/config';
import type { GatewayValues } from '../gateway.config';
import type { IntakeRules } from './intake';

/** Which callback URLs a create may name. */
export interface UrlRules extends Pick<IntakeRules, 'callbackUrlFault'> {
  /** Asks for the addresses of their names; undefined: creates do not ask. */
  readonly refusesNames: RefusesNames | undefined;
}

/** What a create may name, and how much. */
export interface CreateRules extends UrlRules, Pick<IntakeRules, 'limits'> {}

export type UrlRuleValues = Pick<
  GatewayValues,
  | 'CALLBACK_ALLOW_HOSTS'
  | 'CALLBACK_ALLOW_CIDRS'
  | 'CALLBACK_ALLOW_PORTS'
  | 'CALLBACK_RESOLVE_AT_CREATE_MS'
  | 'TIMING_PROFILE'
>;

/** The rules as they are configured; `addresses`: where they come from, where that is not DNS. */
export function urlRulesOf(values: UrlRuleValues, addresses?: Pick<EgressSources, 'ofStranger'>): UrlRules {
  const { CALLBACK_RESOLVE_AT_CREATE_MS: timeoutMs } = values;
  const policy = egressPolicyOf(values);
  return {
    callbackUrlFault: (url) => callbackUrlFault(url, policy),
    refusesNames: timeoutMs === 0 ? undefined : refusedNames(policy, addresses ?? egressSources({ timeoutMs })),
  };
}
