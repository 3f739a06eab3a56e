import type { Connection } from 'mongoose';
import mongoose from 'mongoose';

interface ServerFacts {
  readonly version: string;
  /** A replica set, or the routers of a sharded cluster; a single server keeps no second copy. */
  readonly deployment: 'replica set' | 'sharded cluster' | 'single server';
  readonly majority: boolean;
  /** The server's clock less ours, in milliseconds; `uncertainMs` is the possible error. */
  readonly aheadMs: number;
  readonly uncertainMs: number;
}

interface Asking {
  readonly now: () => Date;
  readonly majorityWithinMs: number;
}

/** Asks the server about itself. Needs no rights beyond those of a service. Rejects where the server is away. */
export async function serverFacts(connection: Connection, { now, majorityWithinMs }: Asking): Promise<ServerFacts> {
  const { db } = connection;
  if (!db) throw new Error('the connection is not open');
  const before = now().getTime();
  const hello = await db.command({ hello: 1 });
  const after = now().getTime();
  const { version } = await db.command({ buildInfo: 1 });
  return {
    version: String(version),
    deployment: deploymentOf(hello),
    majority: await majority(connection, majorityWithinMs),
    aheadMs: (hello['localTime'] as Date).getTime() - (before + after) / 2,
    uncertainMs: (after - before) / 2,
  };
}

function deploymentOf(hello: Readonly<Record<string, unknown>>): ServerFacts['deployment'] {
  if (hello['msg'] === 'isdbgrid') return 'sharded cluster';
  return hello['setName'] === undefined ? 'single server' : 'replica set';
}

/** Deletes nothing; still acknowledged only when a majority has all earlier writes. */
async function majority(connection: Connection, wtimeoutMS: number): Promise<boolean> {
  try {
    await connection
      .collection<{ _id: string }>('doctor')
      .deleteOne({ _id: 'nothing' }, { writeConcern: { w: 'majority', wtimeoutMS } });
    return true;
  } catch (error) {
    if (error instanceof mongoose.mongo.MongoWriteConcernError) return false;
    throw error;
  }
}
