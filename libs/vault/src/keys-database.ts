import type { Connection } from 'mongoose';

/** The shared database of keys, for tools. Whatever it holds is found by its id, so no model declares an index. */
export const keysDatabase = { name: 'keys', models: (): void => {} };

/** Whether a data key is kept, for tools that need not open it. */
export const hasDataKey = async (connection: Connection, ws: string, kid: string): Promise<boolean> =>
  (await connection
    .collection<{ _id: string; ws: string }>('dataKeys')
    .findOne({ _id: kid, ws }, { projection: { _id: 1 } })) !== null;
