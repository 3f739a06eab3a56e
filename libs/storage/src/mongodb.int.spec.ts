import { storageContract } from './contract/storage.contract';
import { declareCollection } from './declare-collection';
import { isStorageUnavailable } from './errors';
import { compareIndexes, ensureIndexes } from './indexes';
import { openStorage } from './open-storage';
import { POOL_CHECK_MS, poolOf } from './pool-checks';

const options = () => {
  const mongodbUri = process.env['DSR_TEST_MONGODB_URI'];
  if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
  return { mongodbUri, databasePrefix: `storage_${process.pid}_` };
};

storageContract({ kind: 'mongodb', options });

it('makes the indexes of a collection with small pages', async () => {
  const storage = await openStorage(options());
  try {
    const connection = await storage.database('pages');
    const documents = declareCollection<{ at: number }>(connection, 'things', [{ fields: { at: 1 } }]);
    await ensureIndexes(connection);
    const [stats] = await documents.aggregate([{ $collStats: { storageStats: {} } }]).toArray();
    expect(stats).toMatchObject({
      storageStats: {
        indexDetails: {
          _id_: { creationString: expect.stringContaining('leaf_page_max=4KB') as string },
          at_1: { creationString: expect.stringContaining('leaf_page_max=4KB') as string },
        },
      },
    });
    expect(await compareIndexes(connection)).toEqual([]);
  } finally {
    await storage.close();
  }
});

it('looks seldom at its pool of connections', async () => {
  const storage = await openStorage(options());
  try {
    const pool = poolOf((await storage.database('any')).getClient());
    expect(pool.poolState).toBe('ready');
    pool.ensureMinPoolSize();
    expect(pool.minPoolSizeTimer).toMatchObject({ _idleTimeout: POOL_CHECK_MS });
  } finally {
    await storage.close();
  }
});

it('calls a server that does not answer unavailable', async () => {
  const error: unknown = await openStorage({ mongodbUri: 'mongodb://127.0.0.1:1/' }).catch((reason: unknown) => reason);
  expect(isStorageUnavailable(error)).toBe(true);
});
