import { isIPv6 } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const MAPPED_V4 = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Whom an address counts as: itself, but an IPv6 address as its /64, for whoever has one of these has all of them. */
export function sourceOf(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return plain;
  const v4 = MAPPED_V4.exec(plain)?.[1];
  return v4 ?? `${networkOf(plain)}::/64`;
}

function networkOf(address: string): string {
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  // A dotted end stands for two groups.
  const size = (groups: readonly string[]): number => groups.length + (groups.at(-1)?.includes('.') ? 1 : 0);
  const gap = tail === undefined ? [] : Array.from({ length: GROUPS - size(head) - size(tail) }, () => '0');
  return [...head, ...gap, ...(tail ?? [])].slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
