import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { linkKeysContract } from './link-keys.contract';
import { tombstonesContract } from './tombstones.contract';
import { vaultContract, type KeysDatabase } from './vault.contract';

function create(): KeysDatabase {
  const database = mongodbDatabase('keys');
  return {
    ...database,
    stored: async () => {
      const connection = await database.open();
      const collections = ['rootKeys', 'dataKeys', 'linkKeys'].map((collection) =>
        connection.collection(collection).find({}).toArray(),
      );
      return Buffer.from(JSON.stringify(await Promise.all(collections)));
    },
  };
}

vaultContract('MongoDB', create);
linkKeysContract('MongoDB', create);
tombstonesContract('MongoDB', create);
