import {
  callbackUrlFault,
  egressSources,
  refusedNames,
  type EgressSources,
  type RefusesNames,
} from '@opendsr-service/edge';
import { egressPolicyOf } from '@opendsr-service/config';
import type { IntakeRules } from './intake';

/** Which callback URLs a create may name. */
export interface UrlRules extends Pick<IntakeRules, 'callbackUrlFault'> {
  /** Asks for the addresses of their names; undefined: creates do not ask. */
  readonly refusesNames: RefusesNames | undefined;
}

/** What a create may name, and how much. */
export interface CreateRules extends UrlRules, Pick<IntakeRules, 'limits'> {}

export type UrlRuleValues = Parameters<typeof egressPolicyOf>[0] & { readonly CALLBACK_RESOLVE_AT_CREATE_MS: number };

/** The rules as they are configured; `addresses`: where they come from, where that is not DNS. */
export function urlRulesOf(values: UrlRuleValues, addresses?: Pick<EgressSources, 'ofStranger'>): UrlRules {
  const { CALLBACK_RESOLVE_AT_CREATE_MS: timeoutMs } = values;
  const policy = egressPolicyOf(values);
  return {
    callbackUrlFault: (url) => callbackUrlFault(url, policy),
    refusesNames: timeoutMs === 0 ? undefined : refusedNames(policy, addresses ?? egressSources({ timeoutMs })),
  };
}
