import { checkStores, storeSettings, storesOf, timingSettings, type Stores } from '@opendsr-service/config';
import { openStores, type OpenStores } from '@opendsr-service/service';
import type { Terminal } from '../command';
import { CommandError } from '../command-error';

const table = { TIMING_PROFILE: timingSettings('production').TIMING_PROFILE, ...storeSettings };

/** Throws for a folder without stores: to open it would create them. */
export async function demandStores(stores: Stores, files: Terminal['files']): Promise<void> {
  if (stores.kind === 'servers' || (await files.has(`${stores.dataDir}/log.db`))) return;
  throw new CommandError(
    `there are no stores of the service in ${stores.dataDir}: set DATA_DIR to their folder, ` +
      'or KAFKA_BROKERS and MONGODB_URI to real servers',
  );
}

/** Opens the stores beside running services, without their lock, and closes them after the work. */
export async function withStores<T>(
  { settings, files }: Pick<Terminal, 'settings' | 'files'>,
  work: (stores: OpenStores) => Promise<T>,
): Promise<T> {
  const values = settings(table, (read) => checkStores(read, true));
  await demandStores(storesOf(values), files);
  const opened = await openStores(values, 'dsr', { lock: false });
  try {
    return await work(opened);
  } finally {
    for (const { run } of opened.closing) await run();
  }
}
