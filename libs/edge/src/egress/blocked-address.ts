import { isIP, type BlockList } from 'node:net';
import { isInNetworks, networks } from '../networks';
import type { EgressPolicy } from './egress-policy';

/** Addresses where clouds hand out credentials. An allowed range does not open them; an allowed host does. */
const METADATA = networks([
  '100.100.100.200',
  '168.63.129.16', // a cloud's wire server, on a public address
  '169.254.169.254',
  '169.254.170.2', // of containers
  '169.254.170.23', // of pods
  '192.0.0.192',
  'fd00:ec2::23',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

const REFUSED_V4 = networks([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // behind a carrier's NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

/** All public IPv6 addresses. Loopback, local, multicast, SRv6, IPv4-compatible and local NAT64 addresses lie outside. */
const GLOBAL_V6 = networks(['2000::/3']);
const REFUSED_V6 = networks([
  '2001::/23', // protocol assignments, benchmarks; Teredo, which carries IPv4 addresses
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries IPv4 addresses
  '3fff::/20', // documentation
]);

const CARRIES_V4 = networks(['::ffff:0:0/96', '64:ff9b::/96']);

/** Whether egress refuses the address; `own`: the addresses of this machine. Text that is not an address is refused. */
export function isBlockedAddress(ip: string, policy: EgressPolicy, own: readonly string[] = []): boolean {
  const address = innermost(ip);
  const family = isIP(address);
  if (family === 0) return true;
  const isIn = (list: BlockList) => isInNetworks(list, address);
  if (isIn(METADATA)) return true;
  if (isIn(policy.allowAddresses)) return false;
  if (isIn(networks(own))) return true;
  return family === 4 ? isIn(REFUSED_V4) : !isIn(GLOBAL_V6) || isIn(REFUSED_V6);
}

function innermost(ip: string): string {
  const address = ip.replace(/%.*$/, '');
  if (isIP(address) !== 6 || !CARRIES_V4.check(address, 'ipv6')) return address;
  // The URL parser writes IPv6 in hexadecimal, so the last two groups are the IPv4 address.
  const [high = 0, low = 0] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split(':')
    .slice(-2)
    .map((group) => parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
