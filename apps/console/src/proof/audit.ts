import { isEqual } from './bytes';
import { leafHash, type TreeHead } from './inclusion';
import { entriesOf, HASH_BYTES, nodeHash, perfectRoot, tilePath, TILE_WIDTH, widthIn } from './tiles';

/** Entries of the log; `end` is not among them. */
export interface Range {
  readonly begin: number;
  readonly end: number;
}

/** Reads a file of the log, by its path below the address of the log; undefined where there is none. */
type ReadLog = (path: string) => Promise<Uint8Array | undefined>;

/** What an audit found: the entries of the range, or the first thing that is wrong. */
export type Audited =
  | { readonly isSound: true; readonly entries: readonly Uint8Array[] }
  | { readonly isSound: false; readonly fault: Fault };

interface Fault {
  /** A file is missing, the hashes do not have the root of the checkpoint, a tile not that of the one above, an entry not its hash. */
  readonly kind: 'missing' | 'root' | 'tile' | 'entry';
  /** The file or the entry. */
  readonly where: string;
}

class Unsound extends Error {
  constructor(readonly fault: Fault) {
    super(`${fault.kind} ${fault.where}`);
  }
}

/**
 * Reads the entries of a range and proves that they stand at their places in the tree of this head: each has its hash, each
 * tile of hashes its own in the tile above, and what the tiles lead to is the root. The head must be trusted already.
 */
export async function auditRange(head: TreeHead, range: Range, read: ReadLog): Promise<Audited> {
  const log = new LogTiles(head.size, read);
  try {
    if (!isEqual(await log.root(), head.root)) throw new Unsound({ kind: 'root', where: String(head.size) });
    const entries: Uint8Array[] = [];
    for (let index = Math.floor(range.begin / TILE_WIDTH); index * TILE_WIDTH < range.end; index++) {
      await log.climb(0, index);
      const first = index * TILE_WIDTH;
      const bundle = await log.entries(index);
      entries.push(...bundle.slice(Math.max(0, range.begin - first), range.end - first));
    }
    return { isSound: true, entries };
  } catch (error) {
    if (error instanceof Unsound) return { isSound: false, fault: error.fault };
    throw error;
  }
}

class LogTiles {
  private readonly tiles = new Map<string, Promise<Uint8Array>>();
  private readonly climbed = new Set<string>();

  constructor(
    private readonly size: number,
    private readonly read: ReadLog,
  ) {}

  /** The root that the tiles at the right edge have, and the highest ones above all others. */
  root(): Promise<Uint8Array> {
    return this.hashOf({ begin: 0, end: this.size });
  }

  /** Proves that a tile has its hash in the tile above, up to those that the root is made of. */
  async climb(level: number, index: number): Promise<void> {
    const name = `${level}/${index}`;
    if (this.climbed.has(name) || widthIn(this.size, level, index) < TILE_WIDTH) return;
    const above = Math.floor(index / TILE_WIDTH);
    await this.climb(level + 1, above);
    const from = (index % TILE_WIDTH) * HASH_BYTES;
    const named = (await this.tile(level + 1, above)).subarray(from, from + HASH_BYTES);
    if (!isEqual(await perfectRoot(await this.tile(level, index)), named))
      throw new Unsound({ kind: 'tile', where: this.pathOf(level, index) });
    this.climbed.add(name);
  }

  /** The entries of a bundle, each of which has its hash in the tile of the same index. */
  async entries(index: number): Promise<readonly Uint8Array[]> {
    const path = this.pathOf('entries', index);
    const width = widthIn(this.size, 0, index);
    const entries = entriesOf(await this.file(path));
    const hashes = await this.tile(0, index);
    if (entries?.length !== width) throw new Unsound({ kind: 'missing', where: path });
    for (const [at, entry] of entries.entries())
      if (!isEqual(await leafHash(entry), hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES)))
        throw new Unsound({ kind: 'entry', where: String(index * TILE_WIDTH + at) });
    return entries;
  }

  private async hashOf({ begin, end }: Range): Promise<Uint8Array> {
    const height = Math.log2(end - begin);
    if (Number.isInteger(height)) return this.perfectHash(height, begin / 2 ** height);
    const middle = begin + 2 ** Math.floor(height);
    return nodeHash(await this.hashOf({ begin, end: middle }), await this.hashOf({ begin: middle, end }));
  }

  /** The root of the perfect subtree of 2^height leaves, counted from the left. */
  private async perfectHash(height: number, place: number): Promise<Uint8Array> {
    const level = Math.floor(height / Math.log2(TILE_WIDTH));
    const count = 2 ** (height % Math.log2(TILE_WIDTH));
    const first = place * count;
    const from = (first % TILE_WIDTH) * HASH_BYTES;
    const tile = await this.tile(level, Math.floor(first / TILE_WIDTH));
    return perfectRoot(tile.subarray(from, from + count * HASH_BYTES));
  }

  private tile(level: number, index: number): Promise<Uint8Array> {
    const path = this.pathOf(level, index);
    const known = this.tiles.get(path) ?? this.hashes(path, widthIn(this.size, level, index));
    this.tiles.set(path, known);
    return known;
  }

  private async hashes(path: string, width: number): Promise<Uint8Array> {
    const hashes = await this.file(path);
    if (hashes.length !== width * HASH_BYTES) throw new Unsound({ kind: 'missing', where: path });
    return hashes;
  }

  private async file(path: string): Promise<Uint8Array> {
    const bytes = await this.read(path);
    if (!bytes) throw new Unsound({ kind: 'missing', where: path });
    return bytes;
  }

  private pathOf(level: number | 'entries', index: number): string {
    return tilePath(level, index, widthIn(this.size, level === 'entries' ? 0 : level, index));
  }
}
