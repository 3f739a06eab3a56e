import {
  oplogWindow,
  serverFacts,
  type IndexDifference,
  type OplogWindow,
  type Storage,
} from '@opendsr-service/storage';
import { databaseOfService, type ServiceName } from '@opendsr-service/operator-answers';
import type { ServiceDatabase } from '@opendsr-service/service';
import { sandboxKeysInForce } from '@opendsr-service/workspaces';
import { compared, DIFFERENCE_WORDS } from '../db/compared';
import { databasesOf } from '../db/databases';
import { clockFinding } from './clocks';
import { fail, ok, warn, type Check, type Finding } from './finding';

export const OLDEST_MONGODB = 6;
const MAJORITY_WITHIN_MS = 5_000;
const COUNTED_RECORDS = 1_000;

type Connection = Awaited<ReturnType<Storage['database']>>;

/** Checks the MongoDB server; the embedded store has none. `writable`: a database that this user may write. */
export async function serverFindings(writable: Connection, now: () => Date): Promise<readonly Finding[]> {
  const facts = await serverFacts(writable, { now, majorityWithinMs: MAJORITY_WITHIN_MS });
  const isSupported = Number(facts.version.split('.')[0]) >= OLDEST_MONGODB;
  return [
    isSupported
      ? ok('mongodb', `it answers, version ${facts.version}`)
      : fail(
          'mongodb',
          `it is version ${facts.version}`,
          `upgrade it: ${OLDEST_MONGODB}.0 is the oldest supported release`,
        ),
    facts.deployment === 'single server'
      ? warn(
          'mongodb',
          'it is a single server',
          'make it a replica set of three: with one server, a lost disk is lost data',
        )
      : ok('mongodb', `it is a ${facts.deployment}`),
    facts.majority
      ? ok('mongodb', 'a majority acknowledges writes')
      : fail(
          'mongodb',
          `no majority acknowledged within ${MAJORITY_WITHIN_MS} ms`,
          'restart the members that are away: until then no request is admitted',
        ),
    oplogFinding(await oplogWindow(writable)),
    clockFinding('clock of mongodb', facts),
  ];
}

const HOUR_SECONDS = 3_600;

/** Shows how long the oplog keeps deleted data, destroyed keys included (docs/erasure.md). Never a fault. */
export function oplogFinding(window: OplogWindow): Finding {
  if (window === 'none') return ok('oplog', 'there is none here');
  if (window === 'not readable')
    return ok(
      'oplog',
      'this user cannot read it (database local); rs.printReplicationInfo() shows how long a destroyed key stays in it',
    );
  const hours = (window.seconds / HOUR_SECONDS).toFixed(1);
  return ok(
    'oplog',
    `it reaches back ${hours} hours, and grows to its size: a key that was destroyed can be read there for as long`,
  );
}

/** Checks the databases of these services, in either store. */
export const storeChecks = (storage: Storage, services: readonly ServiceName[]): readonly Check[] => [
  { name: 'indexes', run: async () => indexes(storage, await databasesOf(services)) },
  { name: 'parked records', run: () => parked(storage, services) },
];

const REMEDIES: Readonly<Record<IndexDifference['kind'], string>> = {
  missing: 'create them: dsr db apply',
  different: 'drop them, then create them: dsr db apply',
  undeclared: 'drop them, unless they are yours',
};

async function indexes(storage: Storage, databases: readonly ServiceDatabase[]): Promise<readonly Finding[]> {
  const findings = (await compared(storage, { databases, apply: false })).flatMap(({ database, differences }) =>
    (['missing', 'different', 'undeclared'] as const).flatMap((kind) => {
      const names = differences
        .filter((difference) => difference.kind === kind)
        .map(({ collection, index }) => `${collection}.${index}`);
      if (names.length === 0) return [];
      return [
        (kind === 'undeclared' ? warn : fail)(
          'indexes',
          `${database}: ${DIFFERENCE_WORDS[kind]}: ${names.join(', ')}`,
          REMEDIES[kind],
        ),
      ];
    }),
  );
  return findings.length > 0 ? findings : [ok('indexes', 'all are correct')];
}

async function parked(storage: Storage, services: readonly ServiceName[]): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { database: name } of services.map(databaseOfService)) {
    const connection = await storage.database(name);
    const found = await connection
      .collection('parked')
      .find({}, { projection: { _id: 1 } })
      .limit(COUNTED_RECORDS + 1)
      .toArray();
    const count = found.length > COUNTED_RECORDS ? `more than ${COUNTED_RECORDS}` : String(found.length);
    if (found.length > 0)
      findings.push(
        warn('parked records', `${count} in ${name}`, 'find the reason, then redrive them: dsr parked list'),
      );
  }
  return findings.length > 0 ? findings : [ok('parked records', 'there are none')];
}

/** For a production deployment: a sandbox on the same stores leaves its key, which goes on to admit. */
export const sandboxCheck = (storage: Storage, now: () => Date): Check => ({
  name: 'sandbox',
  run: async () => {
    const keys = await sandboxKeysInForce(await storage.database('workspaces'), now());
    if (keys.length === 0) return [ok('sandbox', 'it left no key in force')];
    const remedy =
      'revoke it (dsr keys revoke), or give the workspace another class if it is meant (dsr workspaces class)';
    return keys.map((key) => warn('sandbox', `its key ${key} is in force`, remedy));
  },
});
