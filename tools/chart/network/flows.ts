import type { NetworkPolicy } from 'kubernetes-types/networking/v1';
import { component, workloads, type Labels, type Manifest } from '../manifest';
import { may, type Endpoint, type Port } from './evaluate';

/** A namespace has its own name as a label. */
export const podOf = (name: string, ip: string, namespace: string, labels: Labels): Endpoint => ({
  name,
  ip,
  pod: { namespace, namespaceLabels: { 'kubernetes.io/metadata.name': namespace }, labels, ports: {} },
});

export const addressOf = (ip: string, name = ip): Endpoint => ({ name, ip });

/** A pod of each workload of a render, by its component. */
export const ownPods = (objects: readonly Manifest[]): Endpoint[] =>
  workloads(objects).map(({ labels, pod, object }, index) => {
    const ports = Object.fromEntries(
      pod.containers.flatMap((container) =>
        (container.ports ?? []).map(({ name = '', containerPort }) => [name, containerPort]),
      ),
    );
    const own = podOf(component(labels), `10.244.0.${index + 10}`, object.metadata.namespace ?? '', labels);
    return { ...own, ...(own.pod && { pod: { ...own.pod, ports } }) };
  });

const text = ({ number, protocol }: Port): string => `${number}/${protocol}`;

/**
 * Every connection that these policies allow between our pods and others, such as `gateway > results 9090/TCP`, sorted.
 */
export function flows(
  policies: readonly NetworkPolicy[],
  own: readonly Endpoint[],
  others: readonly Endpoint[],
  ports: readonly Port[],
): string[] {
  const all = [...own, ...others];
  const pairs = all.flatMap((from) =>
    all.filter((to) => to !== from && (own.includes(from) || own.includes(to))).map((to) => [from, to] as const),
  );
  return pairs
    .flatMap(([from, to]) =>
      ports.filter((port) => may(policies, from, to, port)).map((port) => `${from.name} > ${to.name} ${text(port)}`),
    )
    .sort();
}
