import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isBlockedAddress } from './blocked-address';
import { allowsHost, nameOf, type EgressPolicy } from './egress-policy';

/** The connection was not tried, as the policy refuses the address. Names no host: it may come near a log. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
  constructor() {
    super('the address is not one that callbacks are sent to');
  }
}

/** Throws EgressRefused for an address in place of a name, for which no look-up is made. Names pass: they are looked up. */
export function checkLiteral(host: string, policy: EgressPolicy): void {
  const address = nameOf(host);
  if (isIP(address) !== 0 && !allowsHost(address, policy) && isBlockedAddress(address, policy)) throw new EgressRefused();
}

/**
 * A `lookup` for sockets that refuses a name of which any address is refused. What was checked is what is dialled, so that a
 * name cannot change its address in between. Not called for literal addresses: see `checkLiteral`.
 */
export const guardedLookup =
  (policy: EgressPolicy, resolve: typeof lookup = lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const isRefused = !allowsHost(hostname, policy) && addresses.some(({ address }) => isBlockedAddress(address, policy));
      const [first] = addresses;
      if (isRefused || !first) return callback(new EgressRefused(), []);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
