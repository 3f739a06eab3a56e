import type { Connection } from 'mongoose';

/** Makes all indexes that the models of this connection declare, and resolves when they are there. Run it before an app listens: `autoIndex` is off. */
export async function ensureIndexes(connection: Connection): Promise<void> {
  for (const model of Object.values(connection.models)) await model.createIndexes();
}
