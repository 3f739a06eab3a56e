import { isIPv6, type BlockList } from 'node:net';
import { isInNetworks, networks } from '../networks';

/** What the operator allows beyond the public internet (docs/egress.md). */
export interface EgressPolicy {
  readonly allowance: EgressAllowance;
  /** Exact host names and addresses; neither their addresses nor their ports are checked. */
  readonly allowHosts: readonly string[];
  /** Of `allowHosts`, those that may be called without TLS. */
  readonly plainHosts: readonly string[];
  readonly allowPorts: readonly number[];
  /** Exceptions from the refused addresses. */
  readonly allowAddresses: BlockList;
  /** Addresses of this machine, allowed on any port while receivers are tried out on it. */
  readonly ownMachine: BlockList;
}

/** `loopback`: receivers are tried out on this machine. */
export interface EgressAllowance {
  readonly hosts: readonly string[];
  readonly cidrs: readonly string[];
  readonly ports: readonly number[];
  readonly loopback: boolean;
}

export function egressPolicy(allowance: EgressAllowance): EgressPolicy {
  const { hosts, cidrs, ports, loopback } = allowance;
  const ownMachine = loopback ? ['127.0.0.0/8', '::1'] : [];
  const plainHosts = hosts.map((host) => canonical(nameOf(host)));
  return {
    allowance,
    allowHosts: [...plainHosts, ...(loopback ? ['localhost'] : [])],
    plainHosts,
    allowPorts: ports,
    allowAddresses: networks([...cidrs, ...ownMachine]),
    ownMachine: networks(ownMachine),
  };
}

export const allowsHost = (host: string, { allowHosts }: EgressPolicy): boolean => allowHosts.includes(nameOf(host));

/** `https:` always; `http:` where the operator named the host (protocol, "status_callback_urls"). */
export const allowsProtocol = (protocol: string, host: string, { plainHosts }: EgressPolicy): boolean =>
  protocol === 'https:' || (protocol === 'http:' && plainHosts.includes(nameOf(host)));

export function allowsPort(port: string, host: string, policy: EgressPolicy): boolean {
  return (
    policy.allowPorts.includes(port === '' ? 443 : Number(port)) ||
    allowsHost(host, policy) ||
    isInNetworks(policy.ownMachine, nameOf(host))
  );
}

/** The host of a callback URL, with a port that is not the default. Throws a TypeError on what is not a URL. */
export function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return hostname.replace(/\.$/, '') + (port && `:${port}`);
}

/** IPv6 addresses as URLs have them. */
const canonical = (name: string): string => (isIPv6(name) ? nameOf(new URL(`http://[${name}]`).hostname) : name);

export const nameOf = (host: string): string =>
  host
    .toLowerCase()
    .replace(/(?<!\.)\.$/, '')
    .replace(/^\[|\]$/g, '');
