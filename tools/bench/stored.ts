import { randomBytes, randomUUID } from 'node:crypto';
import { Sessions } from '@opendsr-service/operator-access';
import { openStorage } from '@opendsr-service/storage';
import type { Stores } from '../e2e/stores';

const PAGE = 5_000;
const SANDBOX = 'sandbox';
type Database = Awaited<ReturnType<Awaited<ReturnType<typeof openStorage>>['database']>>;

/** Works with a database of a running service. */
export async function withDatabase<T>(
  stores: Stores,
  name: 'ingestion' | 'gateway',
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const storage = await openStorage('dataDir' in stores ? { ...stores, lock: false } : stores);
  try {
    return await work(await storage.database(name));
  } finally {
    await storage.close();
  }
}

/** How many batches ingestion has stored. */
export const storedBatches = (stores: Stores): Promise<number> =>
  withDatabase(stores, 'ingestion', (database) => database.collection('batches').countDocuments({}));

/**
 * Adds profiles of nobody, each with one identity, until there are about `total`: documents as ingestion writes them,
 * under hashes that no look-up meets.
 */
export const addProfiles = (
  stores: Stores,
  { from, total }: { readonly from: number; readonly total: number },
): Promise<void> =>
  withDatabase(stores, 'ingestion', async (database) => {
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

const DAY_MS = 86_400_000;
/** Over so many days requests are stored that were received before. */
const DAYS = 90;

/** A request that is the n-th of all, the newest first: of a hundred two have not ended, and one of a thousand has a failing callback. */
function storedRequest(n: number, { total, nowMs }: { readonly total: number; readonly nowMs: number }) {
  const srid = randomUUID();
  const receivedAt = new Date(nowMs - Math.floor((n / total) * DAYS * DAY_MS));
  const after = (days: number) => new Date(receivedAt.getTime() + days * DAY_MS);
  const status = n % 100 === 0 ? 'pending' : n % 100 === 1 ? 'in_progress' : n % 20 === 2 ? 'cancelled' : 'completed';
  return {
    ...{ _id: `${SANDBOX}:${srid}`, ws: SANDBOX, srid, kid: randomBytes(16).toString('base64url'), groupId: null },
    ...{
      status,
      type: n % 3 === 0 ? 'erasure' : 'access',
      controllerId: SANDBOX,
      apiVersion: '2.0',
      regulation: 'gdpr',
    },
    ...{ submittedTime: receivedAt, receivedAt, expectedAt: after(9), legalSince: receivedAt, legalDueAt: after(30) },
    ...{ dueBy: after(30), atRiskAt: after(22), countedBy: 'gdpr', workspaceClass: 'default', seq: 2, v: 4 },
    ...{ openDestinations: [], outbox: [], receipt: randomBytes(32).toString('base64url') },
    sealed: { identities: randomBytes(180).toString('base64'), callbacks: randomBytes(120).toString('base64') },
    ...(status === 'in_progress' && { startedAt: after(7) }),
    ...(status === 'completed' && { startedAt: after(0), completedAt: receivedAt }),
    ...(status === 'cancelled' && { cancelledAt: receivedAt }),
    ...(n % 1_000 === 7 && { callbacksFailing: true }),
  };
}

/** Stores so many requests of nobody, as the gateway keeps them. */
export const addRequests = (stores: Stores, total: number): Promise<void> =>
  withDatabase(stores, 'gateway', async (database) => {
    const nowMs = Date.now();
    const requests = database.collection<{ _id: string }>('requests');
    // The next page is made while the store takes the last one.
    let stored: Promise<unknown> = Promise.resolve();
    for (let done = 0; done < total; done += PAGE) {
      const page = Array.from({ length: Math.min(PAGE, total - done) }, (_, n) =>
        storedRequest(done + n, { total, nowMs }),
      );
      await stored;
      stored = requests.insertMany(page, { ordered: false });
    }
    await stored;
  });

/** The secret of a session in which somebody may read everything. */
export const beginSession = (stores: Stores, limitMs: number): Promise<string> =>
  withDatabase(stores, 'gateway', async (database) => {
    const sessions = new Sessions(database, { idleMs: limitMs, longestMs: limitMs }, () => Date.now());
    const { secret } = await sessions.begin({ subject: randomUUID(), grants: [{ role: 'admin' }] });
    return secret;
  });
