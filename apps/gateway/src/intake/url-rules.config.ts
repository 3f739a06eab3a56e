import {
  callbackUrlFault,
  egressSources,
  refusedNames,
  type EgressSources,
  type RefusesNames,
} from '@opendsr-service/edge';
import { egressPolicyOf } from '@opendsr-service/config';
import type { IntakeRules } from './intake';

interface UrlRules extends Pick<IntakeRules, 'callbackUrlFault'> {
  /** Undefined: creates do not resolve names. */
  readonly refusesNames: RefusesNames | undefined;
}

export interface CreateRules extends UrlRules, Pick<IntakeRules, 'limits'> {}

type UrlRuleValues = Parameters<typeof egressPolicyOf>[0] & { readonly CALLBACK_RESOLVE_AT_CREATE_MS: number };

/** `addresses` replaces DNS. */
export function urlRulesOf(values: UrlRuleValues, addresses?: Pick<EgressSources, 'ofOtherHost'>): UrlRules {
  const { CALLBACK_RESOLVE_AT_CREATE_MS: timeoutMs } = values;
  const policy = egressPolicyOf(values);
  return {
    callbackUrlFault: (url) => callbackUrlFault(url, policy),
    refusesNames: timeoutMs === 0 ? undefined : refusedNames(policy, addresses ?? egressSources({ timeoutMs })),
  };
}
