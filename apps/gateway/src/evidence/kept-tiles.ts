import { TILE_WIDTH, tilePath, type Tile, type TileSource } from '@opendsr-service/transparency';
import { LRUCache } from 'lru-cache';

/** 8 MiB. */
const KEPT_TILES = 1_000;

/** The tiles of a log. Full ones never change, and stay in memory. */
export class KeptTiles implements TileSource {
  private readonly full = new LRUCache<string, Buffer>({ max: KEPT_TILES });

  constructor(private readonly source: TileSource) {}

  async tile(tile: Tile): Promise<Buffer> {
    if (tile.width < TILE_WIDTH) return this.source.tile(tile);
    const path = tilePath(tile);
    const hashes = this.full.get(path) ?? (await this.source.tile(tile));
    this.full.set(path, hashes);
    return hashes;
  }
}
