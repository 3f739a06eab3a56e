import { setTimeout } from 'node:timers/promises';
import { declareCollection, duplicateKey } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';

/** A leaf in its place. `_id` is the id of its record, so a repeated record is a duplicate. */
interface LeafDocument {
  readonly _id: string;
  /** From 0, without a gap: the order of the topic. */
  readonly index: number;
  /** The public entry, JSON. */
  readonly entry: string;
  /** The offset of its record; what a restored copy lacks is read from here on. */
  readonly offset: string;
  readonly addedAt: Date;
}

export type NewLeafDocument = Omit<LeafDocument, 'index'>;

/** Where a leaf stands. */
export type Place = Pick<LeafDocument, 'index' | 'offset'>;

const TRIES = 100;
/** A majority read may lag behind what another gateway has written. */
const PAUSE_MS = 50;

/** The leaves of the transparency log in their order. Nothing changes or removes one. */
export class LeavesStore {
  private readonly leaves: Collection<LeafDocument>;

  constructor(connection: Connection) {
    this.leaves = declareCollection(connection, 'leaves', [{ fields: { index: 1 }, unique: true }]);
  }

  /**
   * Appends in this order the leaves that are not there yet; mostly all of them. Two gateways that append the same records
   * at once agree: the second finds id or place taken, and looks which are there. `after`: the last leaf, as just read.
   */
  async append(leaves: readonly NewLeafDocument[], after?: Place): Promise<void> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if (attempt > 1) await setTimeout(PAUSE_MS);
      const fresh = attempt === 0 ? leaves : await this.unknown(leaves);
      if (fresh.length === 0) return;
      const next = attempt === 0 && after ? after.index + 1 : await this.count();
      try {
        await this.leaves.insertMany(fresh.map((leaf, n) => ({ ...leaf, index: next + n })));
        return;
      } catch (error) {
        if (!duplicateKey(error)) throw error;
      }
    }
    throw new Error('the store reports a duplicate leaf but does not return it');
  }

  async count(): Promise<number> {
    const last = await this.last();
    return last ? last.index + 1 : 0;
  }

  async last(): Promise<Place | undefined> {
    const [last] = await this.leaves
      .find({}, { sort: { index: -1 }, limit: 1, projection: { index: 1, offset: 1 } })
      .toArray();
    return last;
  }

  /** The entries from `begin` to `end`, the latter excluded. Throws where one is missing. */
  async entries(begin: number, end: number): Promise<Buffer[]> {
    const found = await this.leaves
      .find(
        { index: { $gte: begin, $lt: end } },
        { sort: { index: 1 }, projection: { _id: 0, index: 1, entry: 1 }, batchSize: end - begin + 1 },
      )
      .toArray();
    if (found.length !== end - begin || found.some(({ index }, n) => index !== begin + n))
      throw new Error('the store lacks a leaf of the transparency log');
    return found.map(({ entry }) => Buffer.from(entry));
  }

  /** Which of these are there. */
  async idsAmong(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const found = await this.leaves.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
  }

  /** Those of these ids that are there, in no order. */
  async findAll(ids: readonly string[]): Promise<LeafDocument[]> {
    return this.leaves.find({ _id: { $in: [...ids] } }).toArray();
  }

  async find(id: string): Promise<LeafDocument | undefined> {
    return (await this.leaves.findOne({ _id: id })) ?? undefined;
  }

  async addedAt(index: number): Promise<Date | undefined> {
    return (await this.leaves.findOne({ index }, { projection: { addedAt: 1 } }))?.addedAt;
  }

  private async unknown(leaves: readonly NewLeafDocument[]): Promise<NewLeafDocument[]> {
    const byId = new Map(leaves.toReversed().map((leaf) => [leaf._id, leaf]));
    for (const id of await this.idsAmong([...byId.keys()])) byId.delete(id);
    return leaves.filter((leaf) => byId.get(leaf._id) === leaf);
  }
}
