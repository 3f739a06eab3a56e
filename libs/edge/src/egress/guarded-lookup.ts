import { isIP, type LookupFunction } from 'node:net';
import { isBlockedAddress } from './blocked-address';
import { allowsHost, allowsPort, allowsProtocol, nameOf, type EgressPolicy } from './egress-policy';
import type { EgressSources } from './sources.client';

/** The policy refuses the address. The message names no host, as logs may hold it. */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
  constructor() {
    super('the address is not one that callbacks are sent to');
  }
}

export interface Target {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
}

/** Throws EgressRefused for a refused protocol, port or literal address. `guardedLookup` checks names. */
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

/** A `lookup` for sockets that refuses a name with any refused address. Sockets do not call it for literal addresses. */
export const guardedLookup =
  (policy: EgressPolicy, sources: EgressSources): LookupFunction =>
  (hostname, { all = false }, callback) => {
    checkedAddresses(hostname, policy, sources).then(
      ([first, ...more]) => {
        if (all) callback(null, [first, ...more]);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error as Error, []);
      },
    );
  };

type Address = Awaited<ReturnType<EgressSources['ofOtherHost']>>[number];

async function checkedAddresses(
  hostname: string,
  policy: EgressPolicy,
  sources: EgressSources,
): Promise<[Address, ...Address[]]> {
  const isAllowedHost = allowsHost(hostname, policy);
  const [first, ...more] = await (isAllowedHost ? sources.ofAllowedHost(hostname) : sources.ofOtherHost(hostname));
  if (!first) throw new EgressRefused();
  const all: [Address, ...Address[]] = [first, ...more];
  const own = isAllowedHost ? [] : sources.own();
  if (!isAllowedHost && all.some(({ address }) => isBlockedAddress(address, policy, own))) throw new EgressRefused();
  return all;
}
