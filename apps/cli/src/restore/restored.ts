import type { Log } from '@opendsr-service/messaging';
import { rebuildProjection, type Clock, type Comparison, type Rebuilding } from '@opendsr-service/runtime';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import type { Vault } from '@opendsr-service/vault';
import type { Operation } from '../projections/operations';
import { lostKeysIn } from './lost-keys';

/** What was done about one database. */
export interface Restored {
  readonly database: string;
  readonly projections: readonly Comparison[];
  /** Groups that begin anew when their service starts. */
  readonly rewound: readonly string[];
  /** Documents whose key is neither there nor destroyed. */
  readonly lostKeys: number;
}

export interface RestoreParts {
  readonly storage: Storage;
  readonly events: Log;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly folding: Pick<Rebuilding, 'tools' | 'scratchDir' | 'progress'>;
}

/**
 * Brings the database of a service forward: it forgets again what was forgotten since, takes from the log what follows from it, and lets the
 * groups begin anew that take in the rest. Every step may be cut off and done again.
 */
export async function restored({ database, projections, restoring }: Operation, { storage, events, vault, clock, folding }: RestoreParts): Promise<Restored> {
  const connection = await storage.database(database.name);
  database.models(connection);
  await ensureIndexes(connection);
  await restoring.forget?.({ connection, events, vault, clock });
  const found: Comparison[] = [];
  for (const projection of projections) found.push(await rebuildProjection(projection, { ...folding, log: events, connection }));
  for (const group of restoring.rewound) await events.rewind(group);
  const lostKeys = await lostKeysIn(connection, await storage.database('keys'), restoring.sealed);
  return { database: database.name, projections: found, rewound: restoring.rewound, lostKeys };
}
