import { BlockList, isIPv6 } from 'node:net';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1';
import type { Labels } from '../manifest';
import { selects } from '../policy/selects';

/** What takes part in the network: a pod with its labels, or an address outside of the cluster. */
export interface Endpoint {
  readonly name: string;
  readonly ip: string;
  /** Only pods have these. */
  readonly pod?: {
    readonly namespace: string;
    readonly namespaceLabels: Labels;
    readonly labels: Labels;
    /** The ports that it listens on, by name. */
    readonly ports: Readonly<Record<string, number>>;
  };
}

export interface Port {
  readonly number: number;
  readonly protocol: 'TCP' | 'UDP';
}

type Spec = NonNullable<NetworkPolicy['spec']>;
type Rule = NonNullable<Spec['ingress']>[number] & NonNullable<Spec['egress']>[number];
type Peer = NonNullable<Rule['from']>[number];

const family = (ip: string): 'ipv4' | 'ipv6' => (isIPv6(ip) ? 'ipv6' : 'ipv4');

function within(ip: string, cidr: string): boolean {
  const [network = '', prefix] = cidr.split('/');
  if (family(network) !== family(ip)) return false;
  const block = new BlockList();
  block.addSubnet(network, Number(prefix), family(network));
  return block.check(ip, family(ip));
}

/** Whether a peer of a policy in `namespace` is this endpoint. */
function isPeer(peer: Peer, namespace: string, { ip, pod }: Endpoint): boolean {
  if (peer.ipBlock)
    return within(ip, peer.ipBlock.cidr) && !(peer.ipBlock.except ?? []).some((cidr) => within(ip, cidr));
  if (!pod) return false;
  const inNamespace = peer.namespaceSelector
    ? selects(peer.namespaceSelector, pod.namespaceLabels)
    : pod.namespace === namespace;
  return inNamespace && (!peer.podSelector || selects(peer.podSelector, pod.labels));
}

/** Whether the ports of a rule hold this one. A name means the port that the pod which listens has by that name. */
function isPort(ports: Rule['ports'], { number, protocol }: Port, listening: Endpoint): boolean {
  if (!ports || ports.length === 0) return true;
  return ports.some(({ port, endPort, protocol: wanted = 'TCP' }) => {
    if (wanted !== protocol) return false;
    if (port === undefined) return true;
    const first = typeof port === 'number' ? port : listening.pod?.ports[port];
    return first !== undefined && number >= first && number <= (endPort ?? first);
  });
}

type Direction = 'Ingress' | 'Egress';

function rulesOf(
  policy: NetworkPolicy,
  direction: Direction,
): readonly { readonly peers: readonly Peer[]; readonly ports: Rule['ports'] }[] {
  const { ingress = [], egress = [] } = policy.spec ?? {};
  return direction === 'Ingress'
    ? ingress.map(({ from = [], ports }) => ({ peers: from, ports }))
    : egress.map(({ to = [], ports }) => ({ peers: to, ports }));
}

const applies = (policy: NetworkPolicy, direction: Direction, { pod }: Endpoint): boolean => {
  const { podSelector, policyTypes = ['Ingress', ...(policy.spec?.egress ? ['Egress'] : [])] } = policy.spec ?? {};
  return (
    pod !== undefined &&
    pod.namespace === policy.metadata?.namespace &&
    policyTypes.includes(direction) &&
    selects(podSelector ?? {}, pod.labels)
  );
};

function passes(
  policies: readonly NetworkPolicy[],
  direction: Direction,
  [own, other]: readonly [Endpoint, Endpoint],
  port: Port,
): boolean {
  const applying = policies.filter((policy) => applies(policy, direction, own));
  // A pod that no policy speaks of is open.
  if (applying.length === 0) return true;
  const listening = direction === 'Ingress' ? own : other;
  return applying.some((policy) =>
    rulesOf(policy, direction).some(
      ({ peers, ports }) =>
        (peers.length === 0 || peers.some((peer) => isPeer(peer, policy.metadata?.namespace ?? '', other))) &&
        isPort(ports, port, listening),
    ),
  );
}

/**
 * Whether `from` may connect to a port of `to` under these policies: what leaves the one and what enters the other
 * must both be allowed.
 */
export const may = (policies: readonly NetworkPolicy[], from: Endpoint, to: Endpoint, port: Port): boolean =>
  passes(policies, 'Egress', [from, to], port) && passes(policies, 'Ingress', [to, from], port);
