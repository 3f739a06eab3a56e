import { keyTombstones, MalformedMessage, TOPICS, type KeyDestroyed } from '@opendsr-service/contracts';
import type { EventLog, LogRecord, Positions } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import { PositionsStore } from './positions.store';

/**
 * Await it after the topics and before the service listens: it destroys again what a restored copy brought back
 * (decision 4). `apply` may get a tombstone twice. Malformed records are skipped.
 */
export async function foldTombstones(
  log: Pick<EventLog, 'read'>,
  connection: Connection,
  apply: (tombstones: readonly KeyDestroyed[]) => Promise<void>,
): Promise<void> {
  const topic = TOPICS.keyTombstones.name;
  const store = new PositionsStore(connection);
  let positions = await store.read(topic);
  const end = await log.read(topic, positions, async (records) => {
    const tombstones = records.flatMap(tombstoneOf);
    if (tombstones.length > 0) await apply(tombstones);
    positions = { ...positions, ...positionsAfter(records) };
    await store.write(topic, positions);
  });
  await store.write(topic, end);
}

/**
 * Lets the next fold begin at the first record: collections of a copy are of different moments, and its position may be ahead
 * of its keys.
 */
export const rewindTombstones = (connection: Connection): Promise<void> =>
  new PositionsStore(connection).remove(TOPICS.keyTombstones.name);

export const tombstonesStep = (
  vault: { foldTombstones(log: Pick<EventLog, 'read'>): Promise<unknown> },
  log: Pick<EventLog, 'read'>,
): { name: string; run: () => Promise<void> } => ({
  name: 'keys',
  run: async () => void (await vault.foldTombstones(log)),
});

export const kidsByWorkspace = (tombstones: readonly KeyDestroyed[]): [ws: string, kids: string[]][] =>
  [...Map.groupBy(tombstones, ({ ws }) => ws)].map(([ws, destroyed]) => [ws, destroyed.map(({ kid }) => kid)]);

function tombstoneOf(record: LogRecord): KeyDestroyed[] {
  try {
    return [keyTombstones.decode(record)];
  } catch (error) {
    // A malformed record destroys nothing and must not block later tombstones.
    if (error instanceof MalformedMessage) return [];
    throw error;
  }
}

const positionsAfter = (records: readonly LogRecord[]): Positions =>
  Object.fromEntries(records.map(({ partition, offset }) => [String(partition), String(BigInt(offset) + 1n)]));
