import { createConnection, type Connection } from 'mongoose';
import { databasesOf } from './kept-documents';

/** A query or write that MongoDB ran, and how it found its documents. */
export interface RunQuery {
  /** Database and collection, such as `gateway.requests`. */
  readonly collection: string;
  /** The fields that its filter names, at any depth of `$or`, `$nor` and `$and`. */
  readonly fields: readonly string[];
  readonly sort: readonly string[];
  /** The first field of each index that it used; undefined: it read the collection. */
  readonly indexes: readonly string[] | undefined;
}

interface ProfiledOperation {
  readonly ns: string;
  readonly op: string;
  readonly planSummary?: string;
  readonly command?: {
    readonly filter?: object;
    readonly query?: object;
    readonly q?: object;
    readonly sort?: object;
    readonly pipeline?: readonly { readonly $match?: object }[];
  };
}

type Client = ReturnType<Connection['getClient']>;

/** Some minutes of a test. */
const PROFILE_BYTES = 32 * 2 ** 20;
const PROFILE = 'system.profile';

const fieldsOf = (filter: object): string[] =>
  Object.entries(filter).flatMap(([name, value]) =>
    name.startsWith('$') ? (value as readonly object[]).flatMap(fieldsOf) : [name],
  );

const filterOf = ({ filter, query, q, pipeline }: NonNullable<ProfiledOperation['command']>): object =>
  filter ?? query ?? q ?? pipeline?.[0]?.$match ?? {};

function indexesOf(planSummary: string): string[] | undefined {
  if (planSummary === 'IDHACK') return ['_id'];
  if (planSummary.includes('COLLSCAN')) return undefined;
  return [...planSummary.matchAll(/\{ ([\w.]+):/g)].map(([, field = '']) => field);
}

/** How MongoDB tells of it; undefined: it looks for nothing, as an insert does. */
export function runQueryOf(prefix: string, { ns, op, planSummary, command }: ProfiledOperation): RunQuery | undefined {
  if (planSummary === undefined || planSummary === 'EOF' || command === undefined || op === 'getmore') return undefined;
  return {
    collection: ns.slice(prefix.length),
    fields: [...new Set(fieldsOf(filterOf(command)))],
    sort: Object.keys(command.sort ?? {}),
    indexes: indexesOf(planSummary),
  };
}

/** Does something and tells what MongoDB ran in the databases of a prefix until `done` has enough. */
export async function queriesDuring(
  { mongodbUri, databasePrefix: prefix }: { readonly mongodbUri: string; readonly databasePrefix: string },
  work: (seen: () => Promise<readonly RunQuery[]>) => Promise<void>,
): Promise<readonly RunQuery[]> {
  const connection = await createConnection(mongodbUri).asPromise();
  const client = connection.getClient();
  try {
    const databases = await databasesOf(client, prefix);
    await eachOf(client, databases, async (db) => {
      await db.createCollection(PROFILE, { capped: true, size: PROFILE_BYTES });
      await db.command({ profile: 2 });
    });
    const seen = async () => (await eachOf(client, databases, (db) => queriesIn(db, prefix))).flat();
    await work(seen);
    await eachOf(client, databases, (db) => db.command({ profile: 0 }));
    const queries = await seen();
    await eachOf(client, databases, (db) => db.dropCollection(PROFILE));
    return queries;
  } finally {
    await connection.close();
  }
}

type Database = ReturnType<Client['db']>;

const eachOf = <T>(client: Client, databases: readonly string[], each: (db: Database) => Promise<T>): Promise<T[]> =>
  Promise.all(databases.map((name) => each(client.db(name))));

async function queriesIn(db: Database, prefix: string): Promise<RunQuery[]> {
  const projection = { ns: 1, op: 1, planSummary: 1, command: 1 };
  const operations = await db
    .collection<ProfiledOperation>(PROFILE)
    .find({ ns: { $ne: `${db.databaseName}.${PROFILE}` }, planSummary: { $exists: true } }, { projection })
    .toArray();
  return operations.flatMap((operation) => runQueryOf(prefix, operation) ?? []);
}
