import { ParkedAdmin, type EventLog } from '@opendsr-service/messaging';
import { rebuildProjection, abortableLog, type Comparison, type RebuildOptions } from '@opendsr-service/replay';
import type { Clock } from '@opendsr-service/service';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import type { Vault } from '@opendsr-service/vault';
import { databaseOfService } from '../parked/services';
import type { Operation } from '../projections/operations';
import { lostKeysIn } from './lost-keys';

/** What was done about one database. */
export interface Restored {
  readonly database: string;
  readonly projections: readonly Comparison[];
  /** Parked records that are handled again when their service starts. */
  readonly parkedMarked: number;
  /** Groups that begin anew when their service starts. */
  readonly rewound: readonly string[];
  /** Documents whose key is neither there nor destroyed. */
  readonly lostKeys: number;
}

interface RestoreParts {
  readonly storage: Storage;
  readonly events: Pick<EventLog, 'read' | 'rewind'>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly folding: Pick<RebuildOptions, 'tools' | 'scratchDir' | 'progress'> & {
    /** Aborts where the work is to end early: what is not begun by then is left. */
    readonly stop: AbortSignal;
  };
}

/**
 * Brings the database of a service forward: it forgets again what was forgotten since, takes from the log what follows
 * from it, has what the copy
 * holds parked handled again, and lets the groups begin anew that take in the rest. Every step may be cut off and done again.
 */
export async function restored(
  { service, database, projections, restoring }: Operation,
  { storage, events, vault, clock, folding }: RestoreParts,
): Promise<Restored> {
  const { stop } = folding;
  stop.throwIfAborted();
  const connection = await storage.database(database.name);
  database.models(connection);
  await ensureIndexes(connection);
  await restoring.foldTombstones?.({ connection, events: abortableLog(events, stop), vault, clock });
  const found: Comparison[] = [];
  for (const projection of projections)
    found.push(await rebuildProjection(projection, { ...folding, log: events, connection }));
  const parkedMarked = await markParked(
    new ParkedAdmin(connection, () => clock.now().getTime()),
    databaseOfService(service).groups,
    stop,
  );
  for (const group of restoring.rewoundGroups) {
    stop.throwIfAborted();
    await events.rewind(group);
  }
  const lostKeys = await lostKeysIn(connection, await storage.database('keys'), restoring.sealed, stop);
  return { database: database.name, projections: found, parkedMarked, rewound: restoring.rewoundGroups, lostKeys };
}

/**
 * They may have been redriven or dropped since the copy, and would hold back their keys for ever. To handle one that
 * took effect is a repeat.
 */
async function markParked(admin: ParkedAdmin, groups: readonly string[], stop: AbortSignal): Promise<number> {
  const call = admin.startRedrive();
  for await (const page of admin.listPages({ groups })) {
    stop.throwIfAborted();
    await call.mark(page);
  }
  return call.marked;
}
