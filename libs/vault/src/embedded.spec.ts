import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { linkKeysContract } from './link-keys.contract';
import { tombstonesContract } from './tombstones.contract';
import { vaultContract, type KeysDatabase } from './vault.contract';

function create(): Promise<KeysDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vault-'));
  const opened: Storage[] = [];
  return Promise.resolve({
    open: async () => {
      const storage = await openStorage({ dataDir });
      opened.push(storage);
      return storage.database('keys');
    },
    stored: () => Promise.resolve(Buffer.concat(readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name))))),
    close: async () => {
      for (const storage of opened) await storage.close();
      rmSync(dataDir, { recursive: true });
    },
  });
}

vaultContract('embedded storage', create);
linkKeysContract('embedded storage', create);
tombstonesContract('embedded storage', create);
