import { lookup, Resolver } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { networkInterfaces } from 'node:os';

/** Where addresses come from. */
export interface EgressSources {
  /** The addresses of a name that the operator vouches for, as this machine knows it, `/etc/hosts` included. */
  ofVouched(name: string): Promise<readonly LookupAddress[]>;
  /** The addresses of a name that a stranger chose: of DNS alone. */
  ofStranger(name: string): Promise<readonly LookupAddress[]>;
  /** The addresses of this machine, now. */
  own(): readonly string[];
}

/** How DNS is asked; `servers` are those of the machine by default, written `192.0.2.1:53`. */
export interface DnsOptions {
  /** The longest that one name takes. */
  readonly timeoutMs: number;
  readonly servers?: readonly string[];
}

/** The sources of a process. */
export const egressSources = (dns: DnsOptions): EgressSources => ({
  ofVouched: (name) => lookup(name, { all: true }),
  ofStranger: (name) => askDns(name, dns),
  own: () =>
    Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.map(({ address }) => address.replace(/%.*$/, '')),
    ),
});

/**
 * Both families, asked at the same time. Not by `lookup`, which sits in the system's resolver on one of the few threads that sign as well,
 * for as long as that likes: names that never answer would stop all signing. What one family answers is taken where the other does not.
 */
async function askDns(name: string, { timeoutMs, servers }: DnsOptions): Promise<LookupAddress[]> {
  // One for each name: it knows the machine's servers as they are now, and its time-out ends no other look-up.
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
