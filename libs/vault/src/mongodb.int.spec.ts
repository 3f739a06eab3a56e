import { randomUUID } from 'node:crypto';
import { openStorage } from '@opendsr-service/storage';
import { linkKeysContract } from './link-keys.contract';
import { vaultContract, type KeysDatabase } from './vault.contract';

function create(): Promise<KeysDatabase> {
  const mongodbUri = process.env.DSR_TEST_MONGODB_URI;
  if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
  const name = `keys-${randomUUID()}`;
  const opened: ReturnType<typeof openStorage>[] = [];
  const open = () => {
    const storage = openStorage({ mongodbUri });
    opened.push(storage);
    return storage.database(name);
  };
  return Promise.resolve({
    open,
    close: async () => {
      await (await open()).dropDatabase();
      for (const storage of opened) await storage.close();
    },
  });
}

vaultContract('MongoDB', create);
linkKeysContract('MongoDB', create);
