/** What an operator allows beyond the public internet, for receivers inside of the own network (design, `CALLBACK_ALLOW_*`). */
export interface EgressPolicy {
  /** Exact host names. Whoever lists a name vouches for it: its addresses are not checked. */
  readonly allowHosts: readonly string[];
  /** Those of them that may be called without TLS: what an operator names himself, and nothing that is allowed for trying out. */
  readonly plainHosts: readonly string[];
  /** `10.1.0.0/16`, `fd00::/8`, or a single address. */
  readonly allowCidrs: readonly string[];
}

/** The policy of a process: what its operator allows, and this machine itself where receivers are tried out on it. */
export const egressPolicy = (allow: { readonly hosts: readonly string[]; readonly cidrs: readonly string[]; readonly loopback: boolean }): EgressPolicy => ({
  allowHosts: [...allow.hosts, ...(allow.loopback ? ['localhost'] : [])],
  plainHosts: allow.hosts,
  allowCidrs: [...allow.cidrs, ...(allow.loopback ? ['127.0.0.0/8', '::1'] : [])],
});

const names = (hosts: readonly string[], host: string): boolean => hosts.some((named) => nameOf(named) === nameOf(host));

/** Whether the policy names this host. A trailing dot and case make no difference. */
export const allowsHost = (host: string, policy: EgressPolicy): boolean => names(policy.allowHosts, host);

/** Whether the host may be reached by `http:`, where the protocol is not `https:` (protocol-notes, `status_callback_urls`). */
export const allowsProtocol = (protocol: string, host: string, policy: EgressPolicy): boolean =>
  protocol === 'https:' || (protocol === 'http:' && names(policy.plainHosts, host));

/**
 * The host of a callback's URL with its port where that is not the scheme's own, as limits and breakers count hosts: case and the dot that ends a
 * fully qualified name make no difference. Throws a TypeError on what is not a URL.
 */
export function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return hostname.replace(/\.$/, '') + (port && `:${port}`);
}

/** Lower case, without the dot that ends a fully qualified name and the brackets around an IPv6 address. */
export const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '').replace(/^\[|\]$/g, '');
