import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@opendsr-service/storage';
import { linkKeysContract } from './link-keys.contract';
import { vaultContract, type KeysDatabase } from './vault.contract';

function create(): Promise<KeysDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vault-'));
  const opened: ReturnType<typeof openStorage>[] = [];
  return Promise.resolve({
    open: () => {
      const storage = openStorage({ dataDir });
      opened.push(storage);
      return storage.database('keys');
    },
    close: async () => {
      for (const storage of opened) await storage.close();
      rmSync(dataDir, { recursive: true });
    },
  });
}

vaultContract('embedded storage', create);
linkKeysContract('embedded storage', create);
