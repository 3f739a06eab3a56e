/** What an operator allows beyond the public internet, for receivers inside of the own network (design, `CALLBACK_ALLOW_*`). */
export interface EgressPolicy {
  /** Exact host names. Whoever lists a name vouches for it: its addresses are not checked. */
  readonly allowHosts: readonly string[];
  /** `10.1.0.0/16`, `fd00::/8`, or a single address. */
  readonly allowCidrs: readonly string[];
}

/** The policy of a process: what its operator allows, and this machine itself where receivers are tried out on it. */
export const egressPolicy = (allow: { readonly hosts: readonly string[]; readonly cidrs: readonly string[]; readonly loopback: boolean }): EgressPolicy => ({
  allowHosts: [...allow.hosts, ...(allow.loopback ? ['localhost'] : [])],
  allowCidrs: [...allow.cidrs, ...(allow.loopback ? ['127.0.0.0/8', '::1'] : [])],
});

/** Whether the policy names this host. A trailing dot and case make no difference. */
export const allowsHost = (host: string, policy: EgressPolicy): boolean => policy.allowHosts.some((allowed) => nameOf(allowed) === nameOf(host));

/** Lower case, without the dot that ends a fully qualified name and the brackets around an IPv6 address. */
export const nameOf = (host: string): string => host.toLowerCase().replace(/\.$/, '').replace(/^\[|\]$/g, '');
