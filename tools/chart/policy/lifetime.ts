import { workloads, type Container, type Workload } from '../manifest';
import type { Rule } from './rule';

const KINDS = ['startupProbe', 'readinessProbe', 'livenessProbe'] as const;
const PATHS = { startupProbe: '/readyz', readinessProbe: '/readyz', livenessProbe: '/livez' } as const;

/** The kinds that run until they are stopped. */
const serving = (objects: Parameters<Rule>[0]): Workload[] =>
  workloads(objects).filter(({ object }) => !['Job', 'CronJob', 'Pod'].includes(object.kind));

const eachServing =
  (faultsOf: (container: Container, workload: Workload) => readonly string[]): Rule =>
  (objects) =>
    serving(objects).flatMap((workload) =>
      workload.pod.containers.flatMap((container) =>
        faultsOf(container, workload).map((what) => `${workload.name}, container ${container.name}: ${what}`),
      ),
    );

/** One second is less than a full collection of garbage may take, or half a second of waiting for a store on a busy node. */
const LEAST_PROBE_TIMEOUT_SECONDS = 2;

/** Liveness asks whether the process can answer, the others whether it can work; all on the admin port. */
export const probes: Rule = eachServing((container) =>
  KINDS.flatMap((kind) => {
    const { httpGet: get, timeoutSeconds = 1 } = container[kind] ?? {};
    if (!get) return [`must have a ${kind} by HTTP`];
    const named = container.ports?.find(({ name, containerPort }) => get.port === name || get.port === containerPort);
    return [
      ...(get.path === PATHS[kind] ? [] : [`its ${kind} must ask ${PATHS[kind]}`]),
      ...(named?.name === 'admin' ? [] : [`its ${kind} must ask the port admin`]),
      ...(timeoutSeconds >= LEAST_PROBE_TIMEOUT_SECONDS
        ? []
        : [`its ${kind} must wait ${LEAST_PROBE_TIMEOUT_SECONDS} s for an answer`]),
    ];
  }),
);

/** A process that is only busy must not be killed: those that take its work over would be busy next. */
export const patient: Rule = eachServing(({ livenessProbe: { periodSeconds = 10, failureThreshold = 3 } = {} }) =>
  periodSeconds * failureThreshold >= 120 ? [] : ['its livenessProbe must fail for 120 s before it kills'],
);

const setting = (container: Container, name: string, fallback: number): number =>
  Number(container.env?.find((entry) => entry.name === name)?.value ?? fallback);

/** After its dependencies are there, a process joins its consumer groups: 15 s on a quiet machine, minutes on a busy node. */
const JOIN_MS = 240_000;

/** A process may wait so long for what it needs; a probe that is shorter kills it while it waits, or before it can say what it missed. */
export const startsInTime: Rule = eachServing((container) => {
  const { periodSeconds = 10, failureThreshold = 3, initialDelaySeconds = 0 } = container.startupProbe ?? {};
  return (initialDelaySeconds + periodSeconds * failureThreshold) * 1_000 >=
    setting(container, 'START_TIMEOUT_MS', 120_000) + JOIN_MS
    ? []
    : ['its startupProbe must allow 240 s more than START_TIMEOUT_MS'];
});

/**
 * The kubelet kills a process that has not stopped in time, also in the middle of a write. STOP_TIMEOUT_MS begins after
 * STOP_DELAY_MS.
 */
export const stopsInTime: Rule = eachServing((container, { pod }) => {
  const sleep = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  const delayMs = setting(container, 'STOP_DELAY_MS', 0);
  const neededMs = sleep * 1_000 + delayMs + setting(container, 'STOP_TIMEOUT_MS', 25_000);
  return [
    ...(sleep > 0 ? [] : ['must sleep before it stops (preStop), until no new connections come']),
    ...(delayMs > 0 ? [] : ['must have a STOP_DELAY_MS, or calls on kept connections break']),
    ...((pod.terminationGracePeriodSeconds ?? 30) * 1_000 > neededMs
      ? []
      : ['terminationGracePeriodSeconds must be longer than preStop, STOP_DELAY_MS and STOP_TIMEOUT_MS']),
  ];
});
