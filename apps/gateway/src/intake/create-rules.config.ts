import {
  callbackUrlFault,
  egressSources,
  refusedNames,
  type EgressSources,
  type RefusesNames,
} from '@opendsr-service/edge';
import { egressPolicyOf } from '@opendsr-service/config';
import type { IntakeRules } from './intake';

export interface CreateRules extends Pick<IntakeRules, 'callbackUrlFault' | 'limits'> {
  /** Undefined: creates do not resolve names. */
  readonly refusesNames: RefusesNames | undefined;
}

type CreateValues = Parameters<typeof egressPolicyOf>[0] &
  Readonly<Record<'CALLBACK_RESOLVE_AT_CREATE_MS' | 'CREATE_LIMIT_IDENTITIES' | 'CREATE_LIMIT_CALLBACK_URLS', number>>;

/** `addresses` replaces DNS. */
export function createRulesOf(values: CreateValues, addresses?: Pick<EgressSources, 'ofOtherHost'>): CreateRules {
  const { CALLBACK_RESOLVE_AT_CREATE_MS: timeoutMs } = values;
  const policy = egressPolicyOf(values);
  return {
    callbackUrlFault: (url) => callbackUrlFault(url, policy),
    refusesNames: timeoutMs === 0 ? undefined : refusedNames(policy, addresses ?? egressSources({ timeoutMs })),
    limits: { identities: values.CREATE_LIMIT_IDENTITIES, callbackUrls: values.CREATE_LIMIT_CALLBACK_URLS },
  };
}
