import { HASH_BYTES, tileName, type FilledTile, type Tile, type TileSource } from '@opendsr-service/transparency';
import { LRUCache } from 'lru-cache';

/** 8 MiB. */
const KEPT_TILES = 1_000;

/** The tiles of a log, each as wide as it was last read. A tile only grows: what it holds stays, so it serves any narrower one. */
export class KeptTiles implements TileSource {
  private readonly kept = new LRUCache<string, Buffer>({ max: KEPT_TILES });

  constructor(private readonly source: TileSource) {}

  async tile(tile: Tile): Promise<Buffer> {
    const name = tileName(tile);
    const bytes = tile.width * HASH_BYTES;
    const kept = this.kept.get(name);
    if (kept && kept.length >= bytes) return kept.subarray(0, bytes);
    const hashes = await this.source.tile(tile);
    this.kept.set(name, hashes);
    return hashes;
  }

  /** Keeps tiles that were written to the source. */
  add(tiles: readonly FilledTile[]): void {
    for (const tile of tiles) this.kept.set(tileName(tile), tile.hashes);
  }
}
