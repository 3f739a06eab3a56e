import type { Connection } from 'mongoose';
import mongoose from 'mongoose';

/** Seconds that the oplog reaches back; `not readable`: these rights do not allow it. */
export type OplogWindow = { readonly seconds: number } | 'not readable' | 'none';

interface OplogEntry {
  readonly ts: mongoose.mongo.Timestamp;
}

const UNAUTHORIZED = 13;

/** Needs the right to read the database `local`. Rejects where the server is away. */
export async function oplogWindow(connection: Connection): Promise<OplogWindow> {
  try {
    const [first, last] = await Promise.all([entryAt(connection, 1), entryAt(connection, -1)]);
    return first && last ? { seconds: last.ts.getHighBits() - first.ts.getHighBits() } : 'none';
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoServerError && error.code === UNAUTHORIZED) return 'not readable';
    throw error;
  }
}

const entryAt = (connection: Connection, $natural: 1 | -1): Promise<OplogEntry | undefined> =>
  connection
    .getClient()
    .db('local')
    .collection('oplog.rs')
    .find<OplogEntry>({}, { projection: { ts: 1 } })
    .sort({ $natural })
    .limit(1)
    .next()
    .then((entry) => entry ?? undefined);
