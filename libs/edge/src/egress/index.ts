export { isBlockedAddress } from './blocked-address';
export { callbackUrlFault } from './callback-url-fault';
export { allowsProtocol, egressPolicy, hostOf, type EgressPolicy } from './egress-policy';
export { checkLiteral, EgressRefused, guardedLookup } from './guarded-lookup';
