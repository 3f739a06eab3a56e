import { randomUUID } from 'node:crypto';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { linkKeysContract } from './link-keys.contract';
import { tombstonesContract } from './tombstones.contract';
import { vaultContract, type KeysDatabase } from './vault.contract';

function create(): Promise<KeysDatabase> {
  const mongodbUri = process.env.DSR_TEST_MONGODB_URI;
  if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
  const name = `keys-${randomUUID()}`;
  const opened: Storage[] = [];
  const open = async () => {
    const storage = await openStorage({ mongodbUri });
    opened.push(storage);
    return storage.database(name);
  };
  return Promise.resolve({
    open,
    stored: async () => {
      const connection = await open();
      const collections = ['rootKeys', 'dataKeys', 'linkKeys'].map((collection) => connection.collection(collection).find({}).toArray());
      return Buffer.from(JSON.stringify(await Promise.all(collections)));
    },
    close: async () => {
      await (await open()).dropDatabase();
      for (const storage of opened) await storage.close();
    },
  });
}

vaultContract('MongoDB', create);
linkKeysContract('MongoDB', create);
tombstonesContract('MongoDB', create);
