import { HASH_BYTES, perfectRoot } from './hash';
import { hashesAt, TILE_WIDTH, type Tile } from './tile';
import type { TileSource } from './tree';

/** A tile with its hashes. */
export interface FilledTile extends Tile {
  readonly hashes: Buffer;
}

/**
 * The tiles that new leaves change or add to a tree of `size` leaves, from the leaves up. Each holds what it held before, and
 * more.
 */
export async function grownTiles(
  size: number,
  leafHashes: readonly Buffer[],
  source: TileSource,
): Promise<FilledTile[]> {
  const grown: FilledTile[] = [];
  let added = Buffer.concat(leafHashes);
  for (let level = 0; added.length > 0; level++) {
    const before = hashesAt(level, size);
    const first = Math.floor(before / TILE_WIDTH);
    const width = before % TILE_WIDTH;
    const kept = width > 0 ? await source.tile({ level, index: first, width }) : Buffer.alloc(0);
    const row = Buffer.concat([kept, added]);
    const tiles = cut(row).map((hashes, n) => ({ level, index: first + n, width: hashes.length / HASH_BYTES, hashes }));
    grown.push(...tiles);
    added = Buffer.concat(tiles.filter(isFull).map(({ hashes }) => perfectRoot(hashes)));
  }
  return grown;
}

const isFull = ({ width }: Tile): boolean => width === TILE_WIDTH;

function cut(row: Buffer): Buffer[] {
  const tileBytes = TILE_WIDTH * HASH_BYTES;
  return Array.from({ length: Math.ceil(row.length / tileBytes) }, (_, n) =>
    row.subarray(n * tileBytes, (n + 1) * tileBytes),
  );
}
