import type { KeyObject } from 'node:crypto';
import {
  keyTombstones,
  LaterMessage,
  MalformedMessage,
  TOPICS,
  type Codec,
  type KeyDestroyed,
} from '@opendsr-service/contracts';
import type { EventLog, LogRecord, Positions } from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import { PositionsStore } from './positions.store';

interface FoldedInto {
  readonly connection: Connection;
  /** The vault's `tombstoneKey`. */
  readonly key: KeyObject;
}

/**
 * Await it after the topics and before the service listens: it destroys again what a restored copy brought back
 * (decision 4). `apply` may get a tombstone twice. Records that are malformed, or that `key` did not sign, are skipped:
 * resolves with their number, without those of a later release.
 */
export async function foldTombstones(
  log: Pick<EventLog, 'read'>,
  { connection, key }: FoldedInto,
  apply: (tombstones: readonly KeyDestroyed[]) => Promise<void>,
): Promise<number> {
  const topic = TOPICS.keyTombstones.name;
  const codec = keyTombstones(key);
  const store = new PositionsStore(connection);
  let positions = await store.read(topic);
  let skipped = 0;
  const end = await log.read(topic, positions, async (records) => {
    const read = records.map((record) => tombstoneOf(record, codec));
    skipped += read.filter((one) => one === 'malformed').length;
    const tombstones = read.filter((one) => typeof one === 'object');
    if (tombstones.length > 0) await apply(tombstones);
    positions = { ...positions, ...positionsAfter(records) };
    await store.write(topic, positions);
  });
  await store.write(topic, end);
  return skipped;
}

/**
 * Lets the next fold begin at the first record: collections of a copy are of different moments, and its position may be ahead
 * of its keys.
 */
export const rewindTombstones = (connection: Connection): Promise<void> =>
  new PositionsStore(connection).remove(TOPICS.keyTombstones.name);

export const tombstonesStep = (
  vault: { foldTombstones(log: Pick<EventLog, 'read'>): Promise<{ readonly skipped: number }> },
  events: Pick<EventLog, 'read'>,
  log: { warn(fields: { readonly count: number }, message: string): void },
): { name: string; run: () => Promise<void> } => ({
  name: 'keys',
  run: async () => {
    const { skipped: count } = await vault.foldTombstones(events);
    if (count > 0)
      log.warn(
        { count },
        'Records among the tombstones of keys are skipped: malformed, or not signed by this master key',
      );
  },
});

export const kidsByWorkspace = (tombstones: readonly KeyDestroyed[]): [ws: string, kids: string[]][] =>
  [...Map.groupBy(tombstones, ({ ws }) => ws)].map(([ws, destroyed]) => [ws, destroyed.map(({ kid }) => kid)]);

function tombstoneOf(record: LogRecord, codec: Codec<KeyDestroyed>): KeyDestroyed | 'later' | 'malformed' {
  try {
    return codec.decode(record);
  } catch (error) {
    // Neither destroys anything, nor may it block later tombstones. What a later release wrote is in order.
    if (error instanceof LaterMessage) return 'later';
    if (error instanceof MalformedMessage) return 'malformed';
    throw error;
  }
}

const positionsAfter = (records: readonly LogRecord[]): Positions =>
  Object.fromEntries(records.map(({ partition, offset }) => [String(partition), String(BigInt(offset) + 1n)]));
