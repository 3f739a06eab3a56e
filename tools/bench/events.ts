import { until } from '../receiver/until';
import type { BareProducerTasks } from './bare-producer';
import { batchBody, EVENTS_PER_BATCH } from './batch-body';
import type { EventsMeasured } from './data';
import type { DataRig } from './data-rig';
import { withHelper, type HelperProcess } from './helper-process';
import { statusFaults, withCpu } from './rig';
import { storedBatches } from './stored';

const CUSTOMERS = 2_000;
const PREFIX = 'events';
const DRAIN_MS = 300_000;
/** What sealing and the message around it make of a batch. */
const BASE64 = 4 / 3;
const ENVELOPE_BYTES = 260;

/** Batches of known customers as fast as they are taken, until the last is stored, beside what the client library alone can write. */
export async function measureEvents({ service, generator, windowMs, say, brokers }: DataRig): Promise<EventsMeasured> {
  say('events');
  await generator.ask('identify', { prefix: PREFIX, count: CUSTOMERS });
  const trial = await generator.ask('batches', { prefix: PREFIX, customers: CUSTOMERS, count: CUSTOMERS });
  await stored(service.stores, CUSTOMERS);
  const count = Math.ceil((CUSTOMERS / trial.elapsedMs) * windowMs);
  const measured = await withCpu(async () => {
    const begin = performance.now();
    const sent = await generator.ask('batches', { prefix: PREFIX, customers: CUSTOMERS, count });
    await stored(service.stores, CUSTOMERS + (sent.statuses[202] ?? 0));
    return { sent, totalMs: performance.now() - begin };
  });
  const { sent, totalMs } = measured;
  const batchesPerSecond = (count / totalMs) * 1_000;
  return {
    batchesPerSecond,
    eventsPerSecond: batchesPerSecond * EVENTS_PER_BATCH,
    bareProducerPerSecond: brokers === undefined ? null : await bareProducer(brokers.split(','), count),
    drainMs: totalMs - sent.elapsedMs,
    faults: statusFaults(sent.statuses, 202),
    cpuMsEach: measured.cpuMsFor(count),
  };
}

const stored = (stores: DataRig['service']['stores'], count: number) =>
  until('all batches to be stored', async () => (await storedBatches(stores)) >= count, DRAIN_MS);

const bareProducer = (brokers: readonly string[], count: number): Promise<number> =>
  withHelper('bare-producer', (producer: HelperProcess<BareProducerTasks>) =>
    producer.ask('produce', {
      brokers,
      count,
      bytes: Math.ceil(batchBody(`${PREFIX}-1000`, 1_000).length * BASE64) + ENVELOPE_BYTES,
    }),
  );
