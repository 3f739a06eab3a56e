import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { credentialsContract } from './credentials.contract';
import { participantsContract } from './participants.contract';
import { workspacesContract, type WorkspacesDatabase } from './workspaces.contract';

function create(): Promise<WorkspacesDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'workspaces-'));
  const opened: Storage[] = [];
  return Promise.resolve({
    open: async () => {
      const storage = await openStorage({ dataDir });
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
credentialsContract('embedded storage', create);
participantsContract('embedded storage', create);
