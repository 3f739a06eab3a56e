import { createConnection } from 'mongoose';
import { databasesOf } from '../kept-documents';

/** How many records the services of a prefix could not handle. */
export async function countParked(uri: string, prefix: string): Promise<number> {
  const connection = await createConnection(uri).asPromise();
  try {
    const client = connection.getClient();
    const counts = await Promise.all(
      (await databasesOf(client, prefix)).map((database) => client.db(database).collection('parked').countDocuments()),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    await connection.close();
  }
}
