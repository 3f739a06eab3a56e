import { openEmbedded } from './embedded/open';
import { openMongodb } from './mongodb';
import type { Storage, StorageOptions } from './storage';

/** Opens the store (D5). Exactly one of `mongodbUri` and `dataDir` must be given. Rejects with DataDirectoryHeld, or where MongoDB does not answer within 5 s. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { mongodbUri, dataDir, databasePrefix = 'opendsr_', lock = false, maxPoolSize = 50 } = options;
  if ((mongodbUri === undefined) === (dataDir === undefined)) throw new Error('Storage needs exactly one of mongodbUri and dataDir');
  if (mongodbUri !== undefined) return openMongodb(mongodbUri, databasePrefix, maxPoolSize);
  return openEmbedded(dataDir as string, lock);
}
