import type { IncomingHttpHeaders } from 'node:http';
import { isIP, type BlockList } from 'node:net';
import { networks } from './networks';

// A zone such as %eth0 says through which card, not who.
const plain = (address: string): string => address.replace(/%.*$/, '');

function holds(list: BlockList, address: string | undefined): boolean {
  const ip = plain(address ?? '');
  const family = isIP(ip);
  return family !== 0 && list.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}

/** Fastify's `trustProxy`: whether a hop is one of ours. False where there is none, so that `X-Forwarded-For` says nothing then. */
export function trustOf(proxies: readonly string[]): false | ((address: string | undefined) => boolean) {
  if (proxies.length === 0) return false;
  const list = networks(proxies);
  return (address) => holds(list, address);
}

/** An entry as some proxies write it, with a port, is still an address. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;

/**
 * Leaves of `X-Forwarded-For` what reads as addresses from its end on. The end is what our proxies wrote; what stands before
 * something that is no address came from who knows where, and must not become the caller's address.
 */
export function keepAddresses(headers: IncomingHttpHeaders): void {
  const given = headers['x-forwarded-for'];
  if (given === undefined) return;
  const entries = [given]
    .flat()
    .join(',')
    .split(',')
    .map((entry) => withoutPort(entry.trim()));
  const bad = entries.findLastIndex((entry) => isIP(entry) === 0);
  const kept = entries.slice(bad + 1);
  if (kept.length > 0) headers['x-forwarded-for'] = kept.join(',');
  else delete headers['x-forwarded-for'];
}
