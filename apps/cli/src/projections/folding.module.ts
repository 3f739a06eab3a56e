import { checkStores, masterKeySettings, openStores, storeSettings, storesOf, systemClock, timingSettings, type FoldTools, type OpenStores } from '@opendsr-service/runtime';
import type { Terminal } from '../command';
import { placeOfService, SERVICE_NAMES } from '../parked/services';
import { operations, type Operation } from './operations';

const table = { TIMING_PROFILE: timingSettings('production').TIMING_PROFILE, ...storeSettings, ...masterKeySettings };

export interface Workshop {
  readonly stores: OpenStores;
  readonly services: readonly Operation[];
  readonly tools: FoldTools;
  /** Where the master key lies. */
  readonly masterKeyFile: string;
}

export interface Demand {
  /** Whether the services must be stopped: the data folder is locked, or their groups have no members. */
  readonly isExclusive: boolean;
}

/** Opens the stores for work on projections, and closes them after it. A folder without embedded stores is left as it is. */
export async function withWorkshop<T>({ settings, files }: Terminal, { isExclusive }: Demand, work: (workshop: Workshop) => Promise<T>): Promise<T> {
  const { services, keySetting } = await operations();
  const values = settings({ ...table, ...keySetting }, (read) => checkStores(read, true));
  const where = storesOf(values);
  if (where.kind === 'embedded' && !(await files.has(`${where.dataDir}/log.db`))) throw new Error(`there are no stores of the service in ${where.dataDir}: DATA_DIR names their folder`);
  const stores = await openStores(values, 'dsr', { lock: isExclusive });
  try {
    if (isExclusive) await demandStopped(stores);
    const tools = { now: systemClock.now(), keyKeepMs: values.REQUEST_KEY_KEEP_MS };
    return await work({ stores, services, tools, masterKeyFile: values.MASTER_KEY_FILE ?? `${values.DATA_DIR}/keys/master.key` });
  } finally {
    for (const { run } of stores.closing) await run();
  }
}

async function demandStopped({ events }: OpenStores): Promise<void> {
  const groups = SERVICE_NAMES.flatMap((name) => placeOfService(name).groups);
  const held = await Promise.all(groups.map(async (group) => ((await events.hasMembers(group)) ? [group] : [])));
  const [first, ...more] = held.flat();
  if (first !== undefined) throw new Error(`stop all services first: ${[first, ...more].join(', ')} still read${more.length === 0 ? 's' : ''} the log`);
}
