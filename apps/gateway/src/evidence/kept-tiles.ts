import { HASH_BYTES, tileName, type FilledTile, type Tile, type TileSource } from '@opendsr-service/transparency';
import type { Clock } from '@opendsr-service/service';
import { LRUCache } from 'lru-cache';

/** 32 MiB: the tiles of a million leaves. */
const KEPT_TILES = 4_096;
/** Tiles that were changed in the store are rebuilt from the leaves, maybe by another process. */
const KEPT_MS = 60_000;

/** The tiles of a log, each as wide as it was last read. A tile only grows: what it holds stays, so it serves any narrower one. */
export class KeptTiles implements TileSource {
  private readonly kept: LRUCache<string, Buffer>;

  constructor(
    private readonly source: TileSource,
    clock: Clock,
  ) {
    const perf = { now: () => clock.now().getTime() };
    this.kept = new LRUCache({ max: KEPT_TILES, ttl: KEPT_MS, ttlResolution: 0, perf });
  }

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
