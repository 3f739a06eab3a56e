import type { httpSettings, processSettings, storeSettings, Values } from '@opendsr-service/config';
import type { EventLog, TopicDefinition } from '@opendsr-service/messaging';
import type { StartingHost } from '../process/main';
import type { Step } from '../process/steps';
import { replicationOf, topicsStep } from './check-topics';
import type { OpenStores } from './open-stores';
import { storeParts } from './store-parts';
import type { RunningProcess } from '../serving/serve';
import { serveMounted, type MountOptions } from '../serving/serve-mounted';

/** Less than the time of a start, so that the log says what it waits for. */
const PRODUCER_DEADLINE_MS = 30_000;

interface StoreOptions extends Omit<MountOptions, 'prepare' | 'checks' | 'closing'> {
  /** The topics that the process publishes to. */
  readonly publishes: readonly TopicDefinition[];
  /** Runs after the topics are checked and the producer is open. */
  readonly prepare?: readonly Step[];
}

/** Serves services on the stores of their process: prepares, checks and measures these, and closes them at the end. */
export const serveOnStores = (
  values: Values<typeof httpSettings> & Values<typeof processSettings> & Values<typeof storeSettings>,
  host: StartingHost,
  { events, checks, closing }: OpenStores,
  { publishes, prepare = [], processParts = [], ...mounting }: StoreOptions,
): Promise<RunningProcess> =>
  serveMounted(values, host, {
    ...mounting,
    prepare: [topicsStep(events, replicationOf(values), host.log), producerStep(events, publishes), ...prepare],
    processParts: [storeParts(values, host.log), ...processParts],
    checks,
    closing,
  });

/** Without it a process that is ready would answer its first calls 503 while it still connects. */
const producerStep = (events: EventLog, topics: readonly TopicDefinition[]): Step => ({
  name: 'Kafka producer',
  run: () =>
    events.openPublisher(
      topics.map(({ name }) => name),
      PRODUCER_DEADLINE_MS,
    ),
});
