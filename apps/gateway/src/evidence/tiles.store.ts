import { areDuplicates, declareCollection } from '@opendsr-service/storage';
import {
  HASH_BYTES,
  TILE_WIDTH,
  tileName,
  tilesOf,
  type FilledTile,
  type Tile,
  type TileSource,
} from '@opendsr-service/transparency';
import type { Collection, Connection } from 'mongoose';

/** A tile of hashes; it follows from the leaves. Its width grows to 256. */
interface TileDocument {
  /** Its `tileName`. */
  readonly _id: string;
  readonly level: number;
  readonly index: number;
  readonly width: number;
  /** Base64. */
  readonly hashes: string;
}

const LEVELS = [0, 1, 2, 3, 4, 5];

export class TilesStore implements TileSource {
  private readonly tiles: Collection<TileDocument>;

  constructor(connection: Connection) {
    // A process that takes over removes what goes beyond the checkpoint.
    this.tiles = declareCollection(connection, 'tiles', [{ fields: { level: 1, index: 1 } }]);
  }

  /** Throws where the tile is narrower, or not there. */
  async tile(tile: Tile): Promise<Buffer> {
    const found = await this.tiles.findOne({ _id: tileName(tile) });
    const hashes = Buffer.from(found?.hashes ?? '', 'base64');
    if (hashes.length < tile.width * HASH_BYTES) throw new RangeError('the store lacks a tile of the transparency log');
    return hashes.subarray(0, tile.width * HASH_BYTES);
  }

  /** A process that is late writes what is there already, and never makes a tile narrower. */
  async save(tiles: readonly FilledTile[]): Promise<void> {
    const writes = tiles.map(({ width, hashes, ...tile }) => ({
      updateOne: {
        filter: { _id: tileName(tile), width: { $lt: width } },
        update: { $set: { ...tile, width, hashes: hashes.toString('base64') } },
        upsert: true,
      },
    }));
    try {
      await this.tiles.bulkWrite(writes, { ordered: false });
    } catch (error) {
      if (!areDuplicates(error)) throw error;
    }
  }

  /** Makes the tiles those of a tree of `size` leaves: removes what goes beyond. */
  async cut(size: number): Promise<void> {
    const kept = tilesOf(size);
    const partial = kept.filter(({ width }) => width < TILE_WIDTH);
    const cut = await Promise.all(partial.map(async (tile) => ({ ...tile, hashes: await this.tile(tile) })));
    for (const { width, hashes, ...tile } of cut)
      await this.tiles.updateOne({ _id: tileName(tile) }, { $set: { width, hashes: hashes.toString('base64') } });
    for (const level of LEVELS) {
      const index = kept.filter((tile) => tile.level === level).length;
      await this.tiles.deleteMany({ level, index: { $gte: index } });
    }
  }

  async removeAll(): Promise<void> {
    await this.tiles.deleteMany({});
  }
}
