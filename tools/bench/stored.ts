import { randomBytes } from 'node:crypto';
import { openStorage } from '@opendsr-service/storage';
import type { Stores } from '../e2e/stores';

const PAGE = 5_000;
const SANDBOX = 'sandbox';
type Database = Awaited<ReturnType<Awaited<ReturnType<typeof openStorage>>['database']>>;

async function withIngestion<T>(stores: Stores, work: (database: Database) => Promise<T>): Promise<T> {
  const storage = await openStorage('dataDir' in stores ? { ...stores, lock: false } : stores);
  try {
    return await work(await storage.database('ingestion'));
  } finally {
    await storage.close();
  }
}

/** How many batches ingestion has stored. */
export const storedBatches = (stores: Stores): Promise<number> =>
  withIngestion(stores, (database) => database.collection('batches').countDocuments({}));

/**
 * Adds profiles of nobody, each with one identity, until there are about `total`: documents as ingestion writes them,
 * under hashes that no look-up meets.
 */
export const addProfiles = (
  stores: Stores,
  { from, total }: { readonly from: number; readonly total: number },
): Promise<void> =>
  withIngestion(stores, async (database) => {
    for (let done = from; done < total; done += PAGE) {
      const mpids = Array.from({ length: Math.min(PAGE, total - done) }, () =>
        randomBytes(8).readBigInt64BE().toString(),
      );
      const createdAt = new Date();
      const profiles = mpids.map((mpid) => ({
        _id: `${SANDBOX}:${mpid}`,
        ws: SANDBOX,
        mpid,
        kid: randomBytes(16).toString('base64url'),
        createdAt,
        v: 0,
      }));
      const identities = mpids.map((mpid) => ({
        _id: `${SANDBOX}:${randomBytes(32).toString('base64url')}`,
        ws: SANDBOX,
        mpid,
        type: 'email',
        sealed: randomBytes(60).toString('base64'),
      }));
      await database.collection<{ _id: string }>('profiles').insertMany(profiles, { ordered: false });
      await database.collection<{ _id: string }>('identities').insertMany(identities, { ordered: false });
    }
  });
