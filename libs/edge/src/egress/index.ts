export { callbackUrlFault, REFUSED_HOST } from './callback-url-fault';
export { egressPolicy, hostOf, type EgressAllowance, type EgressPolicy } from './egress-policy';
export { checkTarget, EgressRefused, guardedLookup, type Target } from './guarded-lookup';
export { refusedNames, type RefusesNames } from './refused-names';
export { egressSources, type EgressSources } from './sources.client';
