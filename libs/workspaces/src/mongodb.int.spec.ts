import { randomUUID } from 'node:crypto';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { credentialsContract } from './credentials.contract';
import { participantsContract } from './participants.contract';
import { workspacesContract, type WorkspacesDatabase } from './workspaces.contract';

function create(): Promise<WorkspacesDatabase> {
  const mongodbUri = process.env.DSR_TEST_MONGODB_URI;
  if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
  const name = `workspaces-${randomUUID()}`;
  const opened: Storage[] = [];
  const open = async () => {
    const storage = await openStorage({ mongodbUri });
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

workspacesContract('MongoDB', create);
credentialsContract('MongoDB', create);
participantsContract('MongoDB', create);
