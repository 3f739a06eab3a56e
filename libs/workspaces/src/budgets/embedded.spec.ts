import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { budgetsContract } from './budgets.contract';

budgetsContract('embedded storage', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'budgets-'));
  const opened: Storage[] = [];
  return Promise.resolve({
    open: async () => {
      const storage = await openStorage({ dataDir });
      opened.push(storage);
      return storage.database('gateway');
    },
    close: async () => {
      for (const storage of opened) await storage.close();
      rmSync(dataDir, { recursive: true });
    },
  });
});
