import { isIP, type BlockList } from 'node:net';
import { networks } from '../networks';

/** What an operator allows beyond the public internet, for receivers inside of the own network (docs/egress.md). */
export interface EgressPolicy {
  /** All of it as it was configured, for whoever tells of it. */
  readonly allowance: EgressAllowance;
  /** Exact host names and addresses. Whoever lists one vouches for it: neither its addresses nor its port are checked. */
  readonly allowHosts: readonly string[];
  /** Those of them that may be called without TLS: what an operator names himself, and nothing that is allowed for trying out. */
  readonly plainHosts: readonly string[];
  /** Ports of all other hosts, those in allowed ranges too. */
  readonly allowPorts: readonly number[];
  /** Addresses that would be refused. */
  readonly allowAddresses: BlockList;
  /** Addresses that stand for this machine while receivers are tried out on it: any of their ports will do. */
  readonly ownMachine: BlockList;
}

/** What an operator configures; `loopback`: receivers are tried out on this machine. */
export interface EgressAllowance {
  readonly hosts: readonly string[];
  /** `10.1.0.0/16`, `fd00::/8`, or a single address. */
  readonly cidrs: readonly string[];
  readonly ports: readonly number[];
  readonly loopback: boolean;
}

/** The policy of a process: what its operator allows, and this machine itself where receivers are tried out on it. */
export function egressPolicy(allowance: EgressAllowance): EgressPolicy {
  const { hosts, cidrs, ports, loopback } = allowance;
  const ownMachine = loopback ? ['127.0.0.0/8', '::1'] : [];
  const plainHosts = hosts.map(nameOf);
  return {
    allowance,
    allowHosts: [...plainHosts, ...(loopback ? ['localhost'] : [])],
    plainHosts,
    allowPorts: ports,
    allowAddresses: networks([...cidrs, ...ownMachine]),
    ownMachine: networks(ownMachine),
  };
}

/** Whether the policy names this host. A trailing dot and case make no difference. */
export const allowsHost = (host: string, { allowHosts }: EgressPolicy): boolean => allowHosts.includes(nameOf(host));

/** Whether the host may be reached by `http:`, where the protocol is not `https:` (protocol, "status_callback_urls"). */
export const allowsProtocol = (protocol: string, host: string, { plainHosts }: EgressPolicy): boolean =>
  protocol === 'https:' || (protocol === 'http:' && plainHosts.includes(nameOf(host)));

/** Whether the host may be called on this port, as URLs write it: empty is the usual one, which only named hosts have without TLS. */
export function allowsPort(port: string, host: string, policy: EgressPolicy): boolean {
  if (policy.allowPorts.includes(port === '' ? 443 : Number(port)) || allowsHost(host, policy)) return true;
  const family = isIP(nameOf(host));
  return family !== 0 && policy.ownMachine.check(nameOf(host), family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * The host of a callback's URL with its port where that is not the scheme's own, as limits and breakers count hosts:
 * case and the dot that ends a
 * fully qualified name make no difference. Throws a TypeError on what is not a URL.
 */
export function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return hostname.replace(/\.$/, '') + (port && `:${port}`);
}

/**
 * Lower case, without the one dot that ends a fully qualified name and the brackets around an IPv6 address. Of
 * several dots all stay: that is another name.
 */
export const nameOf = (host: string): string =>
  host
    .toLowerCase()
    .replace(/(?<!\.)\.$/, '')
    .replace(/^\[|\]$/g, '');
