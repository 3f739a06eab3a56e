import { requestKey } from '@opendsr-service/contracts';
import type { Connection } from 'mongoose';
import type { ErasureDocument } from './erasures.store';

/** What ingestion stores about a request, for operators' tools. */
export async function factsOf(connection: Connection, ws: string, srid: string) {
  const erasure = await connection.collection<ErasureDocument>('erasures').findOne({ _id: requestKey(ws, srid), ws });
  if (!erasure) return undefined;
  const { matched, passes, tries, reported, completed, dueAt, token } = erasure;
  return {
    erasure: {
      matched,
      passes,
      tries,
      isReported: reported === true,
      isCompleted: completed === true,
      dueAt,
      isClaimed: token !== undefined,
    },
  };
}
