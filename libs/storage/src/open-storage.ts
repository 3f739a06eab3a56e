import { openEmbedded } from './embedded/open';
import { openMongodb } from './mongodb';
import type { Storage, StorageOptions } from './storage';

/** Exactly one of `mongodbUri` and `dataDir` (decision 5). Rejects with DataDirectoryHeld, ConnectionFault, or after 5 s. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { mongodbUri, dataDir } = options;
  if ((mongodbUri === undefined) === (dataDir === undefined))
    throw new Error('Storage needs exactly one of mongodbUri and dataDir');
  if (mongodbUri !== undefined) return openMongodb(mongodbUri, options);
  return openEmbedded(dataDir as string, options);
}
