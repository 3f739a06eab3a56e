import { BlockList, isIP } from 'node:net';

/** Whether text is a network such as `10.1.0.0/16`, or a single address. */
export function isNetwork(text: string): boolean {
  const { address, bits, family } = partsOf(text);
  return family !== 0 && Number.isInteger(bits) && bits <= widthOf(family) && !address.includes('%');
}

export function networks(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    if (!isNetwork(text)) throw new RangeError(`not a network: ${text}`);
    const { address, bits, family } = partsOf(text);
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Whether the list contains the address, which may have a zone such as %eth0. */
export function isInNetworks(list: BlockList, address: string): boolean {
  const ip = address.replace(/%.*$/, '');
  const family = isIP(ip);
  return family !== 0 && list.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}

const widthOf = (family: number) => (family === 4 ? 32 : 128);

function partsOf(text: string): { address: string; bits: number; family: number } {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = rest.length > 0 ? 0 : isIP(address);
  if (prefix === undefined) return { address, bits: widthOf(family), family };
  return { address, bits: /^\d{1,3}$/.test(prefix) ? Number(prefix) : NaN, family };
}
