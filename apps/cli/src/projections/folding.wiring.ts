import { keySourceOf, storesOf } from '@opendsr-service/config';
import { databaseOfService, SERVICE_NAMES } from '@opendsr-service/operator-answers';
import type { FoldContext } from '@opendsr-service/replay';
import { openStores, systemClock, type OpenStores } from '@opendsr-service/service';
import { masterKeyOpens, MasterSeal, openKeys, tombstoneKeyOf, type Keys } from '@opendsr-service/vault';
import type { Terminal } from '../command';
import { CommandError } from '../command-error';
import { demandStores } from '../db/stores.wiring';
import { checkKeyedStores, keyedStoreSettings } from '../master-key.config';
import { foldable, type Operation } from './foldable';

export interface FoldingStores {
  readonly stores: OpenStores;
  readonly services: readonly Operation[];
  readonly tools: FoldContext;
  readonly keys: Keys;
  /** False if the database `keys` is empty, so that it takes any. */
  readonly isMasterKeyChecked: boolean;
  /** Aborts at Ctrl-C or SIGTERM. */
  readonly stop: AbortSignal;
}

interface FoldingOptions {
  /** Demands stopped services: locks the data folder, or checks that their groups have no members. */
  readonly isExclusive: boolean;
}

/** Opens the stores for work on projections and closes them after it. */
export async function withFoldingStores<T>(
  { settings, files, untilStopped }: Terminal,
  { isExclusive }: FoldingOptions,
  work: (foldingStores: FoldingStores) => Promise<T>,
): Promise<T> {
  const { services, keySetting } = await foldable();
  const values = settings({ ...keyedStoreSettings, ...keySetting }, checkKeyedStores);
  await demandStores(storesOf(values), files);
  const stores = await openStores(values, 'dsr', { lock: isExclusive });
  try {
    if (isExclusive) await demandStopped(stores, 'stop all services first');
    const keys = await openKeys(keySourceOf(values));
    // By another master key every tombstone would count as forged.
    const isMasterKeyChecked = await masterKeyOpens(await stores.storage.database('keys'), keys.masterKey);
    const tombstoneKey = tombstoneKeyOf(new MasterSeal(keys.masterKey));
    const tools = { now: systemClock.now(), keyKeepMs: values.REQUEST_KEY_KEEP_MS, tombstoneKey };
    const stopping = new AbortController();
    void untilStopped().then(() => {
      stopping.abort(new CommandError('stopped before the end: run it again'));
    });
    const done = await work({ stores, services, tools, keys, isMasterKeyChecked, stop: stopping.signal });
    if (isExclusive)
      await demandStopped(stores, 'a service was started meanwhile: stop all services, and run this again');
    return done;
  } finally {
    for (const { run } of stores.closing) await run();
  }
}

async function demandStopped({ events }: OpenStores, demand: string): Promise<void> {
  const groups = SERVICE_NAMES.flatMap((name) => databaseOfService(name).groups);
  const held = await Promise.all(groups.map(async (group) => ((await events.hasMembers(group)) ? [group] : [])));
  const [first, ...more] = held.flat();
  if (first !== undefined)
    throw new CommandError(
      `${demand}: ${[first, ...more].join(', ')} still read${more.length === 0 ? 's' : ''} the log`,
    );
}
