import { join } from 'node:path';
import { openLog, type EventLog } from '@opendsr-service/messaging';
import { openStorage, type Storage } from '@opendsr-service/storage';
import type { Logger } from '../logger/logger';
import { storeChecks } from '../http/checks';
import type { ReadinessCheck } from '../http/health';
import type { Step } from '../process/steps';
import { tryOnce, type WaitFor } from '../process/wait-for';
import {
  kafkaOptionsOf,
  type KafkaValues,
  mongodbOptionsOf,
  storesOf,
  type storeSettings,
  type Values,
} from '@opendsr-service/config';
import { isTracing } from '../tracing/tracing';

export interface OpenStores {
  readonly storage: Storage;
  readonly events: EventLog;
  readonly checks: readonly ReadinessCheck[];
  readonly closing: readonly Step[];
}

export interface Opening {
  /** Whether to lock the data folder against a second service. */
  readonly lock?: boolean;
  /** How to wait for MongoDB; by default not at all. Kafka is not needed before its first use. */
  readonly waitFor?: WaitFor;
  /** Receives warnings of the Kafka client; default: none. */
  readonly log?: Logger;
  /** Receives what makes an embedded database unusable until the process starts again; default: nothing does. */
  readonly fatal?: (error: unknown) => void;
}

/** Opens the servers or embedded stores of the configuration. Brokers see the process as `clientId`. */
export async function openStores(
  values: Values<typeof storeSettings>,
  clientId: string,
  { lock = true, waitFor = tryOnce, log, fatal }: Opening = {},
): Promise<OpenStores> {
  const stores = storesOf(values);
  if (stores.kind === 'embedded') {
    const storage = await openStorage({ dataDir: stores.dataDir, lock, ...(fatal && { onUnusable: fatal }) });
    const file = join(stores.dataDir, 'log.db');
    return opened(storage, await openLog({ embedded: { file }, traced: isTracing(), ...(log && { logger: log }) }));
  }
  const storage = await waitFor('MongoDB', () =>
    openStorage({ ...mongodbOptionsOf(values, stores.mongodbUri), traced: isTracing() }),
  );
  return opened(storage, await openEvents(values, clientId, log));
}

/** Opens only the event log of the configuration. */
export const openEvents = (values: KafkaValues, clientId: string, log?: Logger): Promise<EventLog> =>
  openLog({ kafka: kafkaOptionsOf(values, clientId), traced: isTracing(), ...(log && { logger: log }) });

const opened = (storage: Storage, events: EventLog): OpenStores => ({
  storage,
  events,
  checks: storeChecks(storage, events.publisher),
  closing: [
    { name: 'log', run: () => events.close() },
    { name: 'storage', run: () => storage.close() },
  ],
});
