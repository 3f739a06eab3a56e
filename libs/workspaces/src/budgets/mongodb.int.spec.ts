import { randomUUID } from 'node:crypto';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { budgetsContract } from './budgets.contract';

budgetsContract('MongoDB', () => {
  const mongodbUri = process.env.DSR_TEST_MONGODB_URI;
  if (!mongodbUri) throw new Error('DSR_TEST_MONGODB_URI is missing');
  const name = `budgets-${randomUUID()}`;
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
});
