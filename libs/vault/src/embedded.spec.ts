import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { linkKeysContract } from './link-keys.contract';
import { tombstonesContract } from './tombstones.contract';
import { vaultContract, type KeysDatabase } from './vault.contract';

function create(): KeysDatabase {
  const database = embeddedDatabase('keys');
  return {
    ...database,
    stored: () =>
      Promise.resolve(
        Buffer.concat(readdirSync(database.dataDir).map((name) => readFileSync(join(database.dataDir, name)))),
      ),
  };
}

vaultContract('embedded storage', create);
linkKeysContract('embedded storage', create);
tombstonesContract('embedded storage', create);
