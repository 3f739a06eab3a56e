import { checkStores, openStores, storeSettings, storesOf, timingSettings, type OpenStores } from '@opendsr-service/runtime';
import type { Terminal } from '../command';

const table = { TIMING_PROFILE: timingSettings('production').TIMING_PROFILE, ...storeSettings };

/** Opens the stores beside running services, without their lock, and closes them after the work. A folder without embedded stores is left as it is. */
export async function withStores<T>({ settings, files }: Pick<Terminal, 'settings' | 'files'>, work: (stores: OpenStores) => Promise<T>): Promise<T> {
  const values = settings(table, (read) => checkStores(read, true));
  const stores = storesOf(values);
  if (stores.kind === 'embedded' && !(await files.has(`${stores.dataDir}/log.db`))) throw new Error(`there are no stores of the service in ${stores.dataDir}: DATA_DIR names their folder`);
  const opened = await openStores(values, 'dsr', { lock: false });
  try {
    return await work(opened);
  } finally {
    for (const { run } of opened.closing) await run();
  }
}
