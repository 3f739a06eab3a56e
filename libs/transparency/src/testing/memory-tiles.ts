import { HASH_BYTES, leafHash } from '../merkle/hash';
import { grownTiles, type FilledTile } from '../merkle/grow';
import { tileName, type Tile } from '../merkle/tile';
import { StoredTree, type TileSource } from '../merkle/tree';

/** The tiles of a log in memory. */
export class MemoryTiles implements TileSource {
  private readonly tiles = new Map<string, FilledTile>();
  size = 0;

  tile({ level, index, width }: Tile): Promise<Buffer> {
    const hashes = this.tiles.get(tileName({ level, index }))?.hashes ?? Buffer.alloc(0);
    if (hashes.length < width * HASH_BYTES) return Promise.reject(new RangeError('there is no such tile'));
    return Promise.resolve(hashes.subarray(0, width * HASH_BYTES));
  }

  /** Adds entries, and answers the tiles that they changed. */
  async append(entries: readonly Buffer[]): Promise<FilledTile[]> {
    const grown = await grownTiles(this.size, entries.map(leafHash), this);
    for (const tile of grown) this.tiles.set(tileName(tile), tile);
    this.size += entries.length;
    return grown;
  }

  tree(size = this.size): StoredTree {
    return new StoredTree(size, this);
  }
}
