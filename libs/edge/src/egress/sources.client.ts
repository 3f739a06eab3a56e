import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { networkInterfaces } from 'node:os';

export interface EgressSources {
  /** Of an allowed host, by the system's resolver with `/etc/hosts`. */
  ofAllowedHost(name: string): Promise<readonly LookupAddress[]>;
  /** Of any other host, by DNS alone: `lookup` would block one of the few threads that also sign. */
  ofOtherHost(name: string): Promise<readonly LookupAddress[]>;
  own(): readonly string[];
}

interface DnsOptions {
  readonly timeoutMs: number;
  readonly servers?: readonly string[];
}

/** The address sources of a process. */
export const egressSources = (dns: DnsOptions): EgressSources => ({
  ofAllowedHost: (name) => lookup(name, { all: true }),
  ofOtherHost: (name) => askDns(name, dns),
  own: () =>
    Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.map(({ address }) => address.replace(/%.*$/, '')),
    ),
});

async function askDns(name: string, { timeoutMs, servers }: DnsOptions): Promise<LookupAddress[]> {
  // A new resolver reads the current servers, and its cancellation ends no other look-up.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => {
    resolver.cancel();
  }, timeoutMs);
  const [v6, v4] = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
  clearTimeout(deadline);
  if (v6.status === 'rejected' && v4.status === 'rejected') throw v4.reason;
  return [...found(v6, 6), ...found(v4, 4)];
}

const found = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];
