export { isBlockedAddress } from './blocked-address';
export { callbackUrlFault } from './callback-url-fault';
export { egressPolicy, hostOf, type EgressAllowance, type EgressPolicy } from './egress-policy';
export { checkTarget, EgressRefused, guardedLookup, type Target } from './guarded-lookup';
export { egressSources, type EgressSources } from './sources.client';
