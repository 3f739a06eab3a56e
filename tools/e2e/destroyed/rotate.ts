import { openStorage } from '@opendsr-service/storage';
import { openKeys, openRotation } from '@opendsr-service/vault';
import { until } from '../../receiver/until';
import type { Environment } from '../child-service';
import type { Stores } from '../stores';
import type { Service } from '../service';
import type { KeyFiles } from './reader';

const MINUTE_MS = 60_000;
const TIMES = { everyMs: 60 * MINUTE_MS, keepMs: 10 * MINUTE_MS };
/** The shortest times in which a rotation has both its passes. */
const SOON: Environment = { KEY_GENERATION_MS: '61s', KEY_GENERATION_KEEP_MS: '60s' };
const OWN_ROTATION_MS = 10 * MINUTE_MS;

async function withKeys<T>(stores: Stores, work: (keys: Connection) => Promise<T>): Promise<T> {
  const storage = await openStorage('dataDir' in stores ? { ...stores, lock: false } : stores);
  try {
    return await work(await storage.database('keys'));
  } finally {
    await storage.close();
  }
}

type Connection = Awaited<ReturnType<Awaited<ReturnType<typeof openStorage>>['database']>>;

interface State {
  readonly _id: string;
  readonly current: number;
  readonly gone: number;
}

export const generationOf = (stores: Stores): Promise<State> =>
  withKeys(stores, async (keys) => {
    const state = await keys.collection<State>('generations').findOne({});
    if (!state) throw new Error('there are no generations');
    return state;
  });

/** Ends the present generation of a service that is not running, with the same code and a clock that goes fast. */
export const rotateAt = (stores: Stores, files: KeyFiles): Promise<void> =>
  withKeys(stores, async (connection) => {
    let now = Date.now();
    const rotation = openRotation(connection, await openKeys(files), TIMES, () => now);
    for (const ms of [TIMES.everyMs, MINUTE_MS, TIMES.keepMs]) {
      now += ms;
      while (((await rotation?.runOnce()) ?? 0) > 0);
    }
  });

/** Waits until a running service has ended the present generation by itself. */
export async function rotateByItself(service: Service): Promise<void> {
  const { current } = await generationOf(service.stores);
  const isGone = async () => (await generationOf(service.stores)).gone >= current;
  await service.restart(SOON);
  await until('the generation to be gone', isGone, OWN_ROTATION_MS);
}
