import type { CallLimiter, ConnectionLimiter, RefusedFor } from '@opendsr-service/edge';
import type { ConsumerState, MeasuredPartition } from '@opendsr-service/messaging';
import manifest from '../../package.json';
import type { Logger } from '../logger/logger';
import type { Poller } from '../workers/poller';
import { storeGauge } from './store-gauge';
import type { Metric, Sample } from './metrics';

const STATES = ['joining', 'consuming', 'away'] as const satisfies readonly ConsumerState[];

type Measured = Pick<MeasuredPartition, 'topic' | 'partition' | 'lag'>;

export interface MeasuredConsumer {
  readonly group: string;
  readonly state: ConsumerState;
  lag(): Promise<readonly Measured[]>;
}

/** State of the consumers, read at each scrape, and lag of their groups, read from the log every `everyMs`. */
export function consumerMetrics(
  consumers: readonly MeasuredConsumer[],
  everyMs: number,
  log: Logger,
): { readonly metrics: readonly Metric[]; readonly pollers: readonly Poller[] } {
  const lags = consumers.map((consumer) => lagGauges(consumer, everyMs, log));
  const state: Metric<'group' | 'state'> = {
    kind: 'gauge',
    name: 'opendsr_consumer_state',
    help: '1 for the present state of this member of a group.',
    labels: ['group', 'state'],
    read: () =>
      consumers.flatMap(({ group, state: present }) =>
        STATES.map((one) => ({ labels: { group, state: one }, value: Number(one === present) })),
      ),
  };
  return { metrics: [state, ...lags.flatMap(({ metrics }) => metrics)], pollers: lags.map(({ poller }) => poller) };
}

/** The lag of a group, and what is missing from it. */
function lagGauges(
  consumer: MeasuredConsumer,
  everyMs: number,
  log: Logger,
): { readonly metrics: readonly Metric[]; readonly poller: Poller } {
  let leaderless: readonly Sample[] = [];
  const measure = async (): Promise<readonly Sample[]> => {
    const partitions = await consumer.lag().catch((error: unknown) => {
      leaderless = [];
      throw error;
    });
    leaderless = perTopic(consumer.group, partitions, (of) => of.filter(isLeaderless).length);
    const measured = partitions.filter((partition) => !isLeaderless(partition));
    return perTopic(consumer.group, measured, (of) => of.reduce((sum, { lag = 0 }) => sum + lag, 0));
  };
  const { metric, poller } = storeGauge({
    name: 'opendsr_consumer_lag_records',
    help: 'Records between the committed position of a group and the end of the log. Every replica shows the whole group.',
    labels: ['group', 'topic'],
    ...{ everyMs, log, measure },
  });
  const missing: Metric = {
    kind: 'gauge',
    name: 'opendsr_consumer_leaderless_partitions',
    help: 'Partitions without a leader, whose lag is unknown and not in that of the group: they are neither read nor written.',
    labels: ['group', 'topic'],
    read: () => leaderless,
  };
  return { metrics: [metric, missing], poller };
}

const isLeaderless = ({ lag }: Measured): boolean => lag === undefined;

function perTopic(
  group: string,
  partitions: readonly Measured[],
  valueOf: (of: readonly Measured[]) => number,
): readonly Sample[] {
  const byTopic = Map.groupBy(partitions, ({ topic }) => topic);
  return [...byTopic].map(([topic, of]) => ({ labels: { group, topic }, value: valueOf(of) }));
}

export const workerMetric = (pollers: readonly Pick<Poller, 'name' | 'failedRuns'>[]): Metric<'worker'> => ({
  name: 'opendsr_worker_failures_total',
  help: 'Failed runs of a worker, each of which is retried.',
  labels: ['worker'],
  read: () => pollers.map(({ name, failedRuns }) => ({ labels: { worker: name }, value: failedRuns })),
});

export const connectionMetrics = (room: ConnectionLimiter): readonly Metric[] => [
  {
    kind: 'gauge',
    name: 'opendsr_http_connections',
    help: 'Open connections of the public listeners.',
    labels: [],
    read: () => [{ labels: {}, value: room.open }],
  },
  {
    name: 'opendsr_http_connections_refused_total',
    help: 'Connections refused with 503 or closed, by the limit that they exceeded: of all or of one address.',
    labels: ['reason'],
    read: () =>
      (['total', 'address'] as const satisfies readonly RefusedFor[]).map((reason) => ({
        labels: { reason },
        value: room.refused[reason],
      })),
  },
];

export const callMetrics = (calls: CallLimiter): readonly Metric[] => [
  {
    kind: 'gauge',
    name: 'opendsr_http_calls',
    help: 'Calls of the public listeners that are worked on, without those whose body or answer is on its way.',
    labels: [],
    read: () => [{ labels: {}, value: calls.working }],
  },
  {
    name: 'opendsr_http_calls_refused_total',
    help: 'Calls refused with 503, because too many were worked on, or too much of bodies was on its way.',
    labels: [],
    read: () => [{ labels: {}, value: calls.refused }],
  },
];

export const buildMetric = (service: string): Metric<'service' | 'version'> => ({
  kind: 'gauge',
  name: 'opendsr_build_info',
  help: 'Always 1; its labels name the running version.',
  labels: ['service', 'version'],
  read: () => [{ labels: { service, version: manifest.version }, value: 1 }],
});
