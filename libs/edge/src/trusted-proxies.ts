import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isInNetworks, networks } from './networks';

/** For Fastify's `trustProxy`. */
export function trustOf(proxies: readonly string[]): false | ((address: string | undefined) => boolean) {
  if (proxies.length === 0) return false;
  const list = networks(proxies);
  return (address) => isInNetworks(list, address ?? '');
}

const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;

/** Keeps the end of `X-Forwarded-For`, which our proxies wrote; entries before an invalid one may be forged. */
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
