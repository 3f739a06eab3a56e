import { containersOf, workloads, type Container, type Workload } from '../manifest';
import { quantity } from './quantity';
import type { Rule } from './rule';

const eachContainer =
  (faultsOf: (container: Container, workload: Workload) => readonly string[]): Rule =>
  (objects) =>
    workloads(objects).flatMap((workload) =>
      containersOf(workload.pod).flatMap((container) =>
        faultsOf(container, workload).map((what) => `${workload.name}, container ${container.name}: ${what}`),
      ),
    );

const KINDS = ['cpu', 'memory'] as const;

/**
 * A full node has only requested resources. Without a memory limit a pod can take the whole node, without a CPU limit
 * the share of its neighbours.
 */
export const resources: Rule = eachContainer(({ resources: { requests = {}, limits = {} } = {} }) => [
  ...KINDS.filter((kind) => !(quantity(requests[kind]) > 0)).map((kind) => `must request ${kind}`),
  ...KINDS.filter((kind) => !(quantity(limits[kind]) > 0)).map((kind) => `must limit ${kind}`),
  ...KINDS.filter((kind) => quantity(requests[kind]) > quantity(limits[kind])).map(
    (kind) => `requests more ${kind} than its limit`,
  ),
]);

/** The same text is the same program, today and after a restart. */
export const pinnedImages: Rule = eachContainer(({ image = '' }) => {
  const [, tag, digest] = /^[^@]+?(?::([\w.-]+))?(@sha256:[0-9a-f]{64})?$/.exec(image) ?? [];
  if (digest) return [];
  return tag === undefined || tag === 'latest' ? ['its image must name a version or a digest, not latest'] : [];
});

/** Kubernetes accepts a duplicate variable or two names of one port, but both are mistakes. */
export const onceEach: Rule = eachContainer(({ env = [], ports = [] }) => [
  ...twice(env.map(({ name }) => name)).map((name) => `sets ${name} twice`),
  ...twice(ports.map(({ name, containerPort }) => name ?? String(containerPort))).map(
    (name) => `has the port ${name} twice`,
  ),
]);

export const twice = (words: readonly string[]): string[] => [
  ...new Set(words.filter((word, index) => words.indexOf(word) !== index)),
];
