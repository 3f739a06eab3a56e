import { storageContract } from './contract/storage.contract';
import { isStorageUnavailable } from './errors';
import { openStorage } from './open-storage';

storageContract({
  kind: 'mongodb',
  options: () => {
    const mongodbUri = process.env['DSR_TEST_MONGODB_URI'];
    if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
    return { mongodbUri, databasePrefix: `storage_${process.pid}_` };
  },
});

it('calls a server that does not answer unavailable', async () => {
  const error: unknown = await openStorage({ mongodbUri: 'mongodb://127.0.0.1:1/' }).catch((reason: unknown) => reason);
  expect(isStorageUnavailable(error)).toBe(true);
});
