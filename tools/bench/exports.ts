import { Controller, raw, requestBody, send } from '../e2e/controller';
import { awaitStatus } from '../e2e/follow';
import { readArchive } from '../e2e/archive';
import { until } from '../receiver/until';
import type { ExportMeasured } from './data';
import type { DataRig } from './data-rig';
import { statusFaults } from './rig';
import { storedBatches } from './stored';
import { watchProcesses } from './watch-processes';

const EVENTS_PER_BATCH = 20;
const BATCHES_PER_CALL = 25;
const STORED_WITHIN_MS = 600_000;
const PARTS = ['standalone', 'ingestion', 'results'];

interface Manifest {
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

/** An access to one subject with so many stored events: how long its archive takes, and what it costs those who make it. */
export async function measureExport({ service, generator, say }: DataRig, events: number): Promise<ExportMeasured> {
  const customer = `export-${String(events)}`;
  const batches = events / EVENTS_PER_BATCH;
  say(`an archive of ${String(events)} events`);
  const before = await storedBatches(service.stores);
  const { statuses } = await generator.ask('fill', {
    customer,
    batches,
    eventsPerBatch: EVENTS_PER_BATCH,
    perCall: BATCHES_PER_CALL,
  });
  await until(
    'all batches to be stored',
    async () => (await storedBatches(service.stores)) >= before + batches,
    STORED_WITHIN_MS,
  );

  const controller = new Controller(service);
  const body = requestBody({ subject_identities: [raw('controller_customer_id', customer)] });
  await controller.create(body);
  const parts = service.parts().filter(({ name }) => PARTS.includes(name));
  const watched = await watchProcesses(parts, async () => {
    await awaitStatus(controller, body.subject_request_id, 'in_progress');
    const begin = performance.now();
    const record = await awaitStatus(controller, body.subject_request_id, 'completed');
    return { record, seconds: (performance.now() - begin) / 1_000 };
  });
  const begin = performance.now();
  const answer = await send(watched.done.record.results_url ?? '');
  const downloadSeconds = (performance.now() - begin) / 1_000;
  const { files } = JSON.parse(
    (await readArchive(answer.body)).get('manifest.json')?.toString() ?? '{"files":[]}',
  ) as Manifest;
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  const { peakMiB, loopDelay } = watched;
  return {
    events,
    megabytes,
    seconds: watched.done.seconds,
    downloadSeconds,
    peakMiB,
    loopDelay,
    faults: [...statusFaults(statuses, 202), ...(megabytes === 0 ? ['an archive holds nothing'] : [])],
  };
}
