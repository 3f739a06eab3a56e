import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '@opendsr-service/storage';
import { workspacesContract, type WorkspacesDatabase } from './workspaces.contract';

function create(): Promise<WorkspacesDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'workspaces-'));
  const opened: ReturnType<typeof openStorage>[] = [];
  return Promise.resolve({
    open: () => {
      const storage = openStorage({ dataDir });
      opened.push(storage);
      return storage.database('workspaces');
    },
    close: async () => {
      for (const storage of opened) await storage.close();
      rmSync(dataDir, { recursive: true });
    },
  });
}

workspacesContract('embedded storage', create);
