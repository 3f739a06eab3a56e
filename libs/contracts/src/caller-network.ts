import { isIPv6 } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const MAPPED_V4 = /^(?:0*:)*:?ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/i;

/** The address that limits count: IPv4, or the /64 network of an IPv6 address, as one holder has a whole /64. */
export function callerNetwork(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain)) return plain;
  return mappedV4(plain) ?? `${networkOf(plain)}::/64`;
}

function mappedV4(address: string): string | undefined {
  const [, dotted, ...groups] = MAPPED_V4.exec(address) ?? [];
  if (dotted !== undefined || groups.length === 0) return dotted;
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

function networkOf(address: string): string {
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const size = (groups: readonly string[]): number => groups.length + (groups.at(-1)?.includes('.') ? 1 : 0);
  const gap = tail === undefined ? [] : Array.from({ length: GROUPS - size(head) - size(tail) }, () => '0');
  return [...head, ...gap, ...(tail ?? [])]
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
