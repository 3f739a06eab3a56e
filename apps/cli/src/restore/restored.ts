import { ParkedAdmin, type EventLog } from '@opendsr-service/messaging';
import { databaseOfService } from '@opendsr-service/operator-answers';
import { rebuildProjection, abortableLog, type Comparison, type RebuildOptions } from '@opendsr-service/replay';
import type { Clock } from '@opendsr-service/service';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { rewindTombstones, type Vault } from '@opendsr-service/vault';
import type { Operation } from '../projections/foldable';
import { lostKeysIn } from './lost-keys';

/** What was done in one database. */
export interface Restored {
  readonly database: string;
  readonly projections: readonly Comparison[];
  /** Parked records that are redriven when their service starts. */
  readonly parkedMarked: number;
  /** Groups that read the event log again when their service starts. */
  readonly rewound: readonly string[];
  /** Documents with a lost key. */
  readonly lostKeys: number;
}

interface RestoreParts {
  readonly storage: Storage;
  readonly events: Pick<EventLog, 'read' | 'rewind'>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly folding: Pick<RebuildOptions, 'tools' | 'scratchDir' | 'progress'> & {
    /** Aborts the work before its next step. */
    readonly stop: AbortSignal;
  };
}

/**
 * Updates the database of a service: erases again what was erased since, writes what follows from the event log,
 * redrives parked records, and lets the other groups read the event log again. Every step can be repeated.
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
  const tools = { connection, events: abortableLog(events, stop), vault, clock };
  if (restoring.foldTombstones) await rewindTombstones(connection);
  await restoring.foldTombstones?.(tools);
  await restoring.bringBack?.(tools);
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
 * They may have been redriven or dropped since the copy, and would block their keys for ever. A second handling is
 * harmless.
 */
async function markParked(admin: ParkedAdmin, groups: readonly string[], stop: AbortSignal): Promise<number> {
  const call = admin.startRedrive();
  for await (const page of admin.listPages({ groups })) {
    stop.throwIfAborted();
    await call.mark(page);
  }
  return call.marked;
}
