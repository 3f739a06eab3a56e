import { BlockList, isIP } from 'node:net';

/** What an operator allows beyond the public internet, for receivers inside of the own network (design, `CALLBACK_ALLOW_*`). */
export interface EgressPolicy {
  /** Exact host names. Whoever lists a name vouches for it: its addresses are not checked. */
  readonly allowHosts: readonly string[];
  /** `10.1.0.0/16`, `fd00::/8`, or a single address. */
  readonly allowCidrs: readonly string[];
}

/** The policy of a process: what its operator allows, and this machine itself where receivers are tried out on it. */
export const egressPolicy = (allow: { readonly hosts: readonly string[]; readonly cidrs: readonly string[]; readonly loopback: boolean }): EgressPolicy => ({
  allowHosts: [...allow.hosts, ...(allow.loopback ? ['localhost'] : [])],
  allowCidrs: [...allow.cidrs, ...(allow.loopback ? ['127.0.0.0/8', '::1'] : [])],
});

/** Whether text is a network or an address. */
const isCidr = (text: string): boolean => {
  const { address, bits, family } = partsOf(text);
  return family !== 0 && Number.isInteger(bits) && bits >= 0 && bits <= widthOf(family) && !address.includes('%');
};

/** Whether the policy names this host. A trailing dot and case make no difference. */
export const allowsHost = (host: string, policy: EgressPolicy): boolean => policy.allowHosts.some((allowed) => nameOf(allowed) === nameOf(host));

/** A list of networks. Throws a RangeError on text that is not a network. */
export function networks(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    if (!isCidr(cidr)) throw new RangeError(`not a network: ${cidr}`);
    const { address, bits, family } = partsOf(cidr);
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Lower case, without the dot that ends a fully qualified name and the brackets around an IPv6 address. */
export const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '').replace(/^\[|\]$/g, '');

const widthOf = (family: number) => (family === 4 ? 32 : 128);

function partsOf(text: string): { address: string; bits: number; family: number } {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = rest.length > 0 ? 0 : isIP(address);
  if (prefix === undefined) return { address, bits: widthOf(family), family };
  return { address, bits: /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN, family };
}
