import type { httpSettings, processSettings, storeSettings, Values } from '@opendsr-service/config';
import type { TopicDefinition } from '@opendsr-service/messaging';
import type { StartingHost } from '../process/main';
import type { Step } from '../process/steps';
import { replicationOf, topicsStep } from './check-topics';
import type { OpenStores } from './open-stores';
import { producerStep } from './producer-step';
import { storeParts } from './store-parts';
import type { RunningProcess } from '../serving/serve';
import { serveMounted, type MountOptions } from '../serving/serve-mounted';

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
