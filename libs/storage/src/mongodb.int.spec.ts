import { storageContract } from './contract/storage.contract';

storageContract({
  kind: 'mongodb',
  options: () => {
    const mongodbUri = process.env['DSR_TEST_MONGODB_URI'];
    if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
    return { mongodbUri, databasePrefix: `storage_${process.pid}_` };
  },
});
