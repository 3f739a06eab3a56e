import type { Connection } from 'mongoose';

/** All queries are by `_id`, so no model declares an index. */
export const keysDatabase = { name: 'keys', models: (): void => {} };

/** Checks whether a data key exists, without opening it. */
export const hasDataKey = async (connection: Connection, ws: string, kid: string): Promise<boolean> =>
  (await connection
    .collection<{ _id: string; ws: string }>('dataKeys')
    .findOne({ _id: kid, ws }, { projection: { _id: 1 } })) !== null;
