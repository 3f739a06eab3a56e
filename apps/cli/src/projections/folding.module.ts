import { openStores, storesOf, systemClock, type FoldTools, type OpenStores } from '@opendsr-service/runtime';
import type { Terminal } from '../command';
import { CommandError } from '../command-error';
import { demandStores } from '../db/stores.module';
import { checkKeyedStores, keyedStoreSettings, masterKeyFileOf } from '../master-key.config';
import { placeOfService, SERVICE_NAMES } from '../parked/services';
import { operations, type Operation } from './operations';

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
  const values = settings({ ...keyedStoreSettings, ...keySetting }, checkKeyedStores);
  await demandStores(storesOf(values), files);
  const stores = await openStores(values, 'dsr', { lock: isExclusive });
  try {
    if (isExclusive) await demandStopped(stores);
    const tools = { now: systemClock.now(), keyKeepMs: values.REQUEST_KEY_KEEP_MS };
    return await work({ stores, services, tools, masterKeyFile: masterKeyFileOf(values) });
  } finally {
    for (const { run } of stores.closing) await run();
  }
}

async function demandStopped({ events }: OpenStores): Promise<void> {
  const groups = SERVICE_NAMES.flatMap((name) => placeOfService(name).groups);
  const held = await Promise.all(groups.map(async (group) => ((await events.hasMembers(group)) ? [group] : [])));
  const [first, ...more] = held.flat();
  if (first !== undefined) throw new CommandError(`stop all services first: ${[first, ...more].join(', ')} still read${more.length === 0 ? 's' : ''} the log`);
}
