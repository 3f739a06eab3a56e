import { isIP, type LookupFunction } from 'node:net';
import { isBlockedAddress } from './blocked-address';
import { allowsHost, allowsPort, allowsProtocol, nameOf, type EgressPolicy } from './egress-policy';
import type { EgressSources } from './sources.client';

/** The connection was not tried, as the policy refuses the address. Names no host: it may come near a log. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
  constructor() {
    super('the address is not one that callbacks are sent to');
  }
}

/** Where a connection is to go, as a URL says it: protocol with its colon, port empty where it is the usual one. */
export interface Target {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/**
 * Throws EgressRefused for what shows before a name is looked up: the protocol, the port, and an address in place of a
 * name, for which no look-up
 * is made. All else is left to `guardedLookup`.
 */
export function checkTarget(
  { protocol, hostname, port }: Target,
  policy: EgressPolicy,
  sources: Pick<EgressSources, 'own'>,
): void {
  const host = nameOf(hostname);
  if (!allowsProtocol(protocol, host, policy) || !allowsPort(port, host, policy)) throw new EgressRefused();
  if (isIP(host) !== 0 && !allowsHost(host, policy) && isBlockedAddress(host, policy, sources.own()))
    throw new EgressRefused();
}

/**
 * A `lookup` for sockets that refuses a name of which any address is refused, and one without any. What was checked is what is dialled, so
 * that a name cannot change its address in between. Not called for literal addresses: see `checkTarget`.
 */
export const guardedLookup =
  (policy: EgressPolicy, sources: EgressSources): LookupFunction =>
  (hostname, { all = false }, callback) => {
    checkedAddresses(hostname, policy, sources).then(
      ([first, ...more]) => {
        // Sockets ask for all of them, in order to try both families.
        if (all) callback(null, [first, ...more]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as Error, []);
      },
    );
  };

type Address = Awaited<ReturnType<EgressSources['ofStranger']>>[number];

async function checkedAddresses(
  hostname: string,
  policy: EgressPolicy,
  sources: EgressSources,
): Promise<[Address, ...Address[]]> {
  const isVouched = allowsHost(hostname, policy);
  const [first, ...more] = await (isVouched ? sources.ofVouched(hostname) : sources.ofStranger(hostname));
  if (!first) throw new EgressRefused();
  const all: [Address, ...Address[]] = [first, ...more];
  const own = isVouched ? [] : sources.own();
  if (!isVouched && all.some(({ address }) => isBlockedAddress(address, policy, own))) throw new EgressRefused();
  return all;
}
