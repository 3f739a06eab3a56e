import { openEmbedded } from './embedded/open';
import { openMongodb } from './mongodb';
import type { Storage, StorageOptions } from './storage';

/** Opens the store (D5). Exactly one of `mongodbUri` and `dataDir` must be given. Rejects with DataDirectoryHeld, where MongoDB does not answer within 5 s, or with a ConnectionFault where it answers, but not to us. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { mongodbUri, dataDir, lock = false } = options;
  if ((mongodbUri === undefined) === (dataDir === undefined))
    throw new Error('Storage needs exactly one of mongodbUri and dataDir');
  if (mongodbUri !== undefined) return openMongodb(mongodbUri, options);
  return openEmbedded(dataDir as string, lock);
}
