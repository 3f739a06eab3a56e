import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@opendsr-service/storage';
import { describeInFull, embeddedDatabase } from '@opendsr-service/storage/testing';
import type { DataKeyDocument } from './data-keys.store';
import { destroyedContract, type CopiedDatabase, type Found } from './destroyed.contract';
import { linkKeysContract } from './link-keys.contract';
import type { RootKeyDocument } from './master-wrap';
import { rotationContract } from './rotation.contract';
import { tombstonesContract } from './tombstones.contract';
import { vaultContract } from './vault.contract';

function create(): CopiedDatabase {
  const database = embeddedDatabase('keys');
  return {
    ...database,
    copies: () => copied(database.dataDir),
    stored: () =>
      Promise.resolve(
        Buffer.concat(readdirSync(database.dataDir).map((name) => readFileSync(join(database.dataDir, name)))),
      ),
  };
}

vaultContract('embedded storage', create);
linkKeysContract('embedded storage', create);
tombstonesContract('embedded storage', create);
destroyedContract('embedded storage', create);
describeInFull('as on servers', () => rotationContract('embedded storage', create));

/** What a copy of all files holds, as a service that is started on it reads it. */
async function copied(dataDir: string): Promise<Found> {
  const copy = mkdtempSync(join(tmpdir(), 'copy-'));
  cpSync(dataDir, copy, { recursive: true });
  const storage = await openStorage({ dataDir: copy, lock: false });
  const connection = await storage.database('keys');
  const found = {
    dataKeys: await connection.collection<DataKeyDocument>('dataKeys').find({}).toArray(),
    rootKeys: await connection.collection<RootKeyDocument>('rootKeys').find({}).toArray(),
  };
  await storage.close();
  rmSync(copy, { recursive: true });
  return found;
}
