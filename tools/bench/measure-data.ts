import type { DataResult } from './data';
import type { DataTasks } from './data-generator';
import { measureEvents } from './events';
import { measureExport } from './exports';
import { withHelper, type HelperProcess } from './helper-process';
import { measureLookups } from './lookups';
import type { BenchOptions } from './options';
import type { ExportMeasured } from './data';
import { connectionsTo, type Rig } from './rig';

const CONNECTIONS = 64;
const settings = { TIMING_PROFILE: 'sandbox', ACCESS_WAIT_MS: '1s' };

/** What was asked for about data of persons, on a service that is started for it. Null: nothing was. */
export async function measureData(
  rig: Rig,
  { only, exportEvents, profiles }: BenchOptions,
): Promise<DataResult | null> {
  if (!only.some((one) => one === 'events' || one === 'exports' || one === 'lookups')) return null;
  const service = await rig.start(settings);
  try {
    return await withHelper('data-generator', async (generator: HelperProcess<DataTasks>) => {
      await generator.ask('connect', { ...connectionsTo(service, CONNECTIONS), baseUrls: [service.ingestUrl] });
      const data = { ...rig, service, generator };
      // First among few profiles: what the other measurements store would count as such.
      const lookups = only.includes('lookups') ? await measureLookups(data, profiles) : [];
      const events = only.includes('events') ? await measureEvents(data) : null;
      const exports: ExportMeasured[] = [];
      for (const count of only.includes('exports') ? exportEvents : []) exports.push(await measureExport(data, count));
      return { events, exports, lookups };
    });
  } finally {
    await service.stop();
  }
}
