import { EMPTY_ROOT, HASH_BYTES, nodeHash, perfectRoot } from './hash';
import { TILE_HEIGHT, TILE_WIDTH, tileName, widthIn, type Tile } from './tile';

/** Where the hashes of tiles come from. Answers `width` hashes, one after the other. */
export interface TileSource {
  tile(tile: Tile): Promise<Buffer>;
}

/** The leaves `begin` to `end`, the latter excluded. */
interface Range {
  readonly begin: number;
  readonly end: number;
}

/** The tree of the first `size` leaves of a log, read from tiles: roots and proofs (RFC 6962, 2.1). */
export class StoredTree {
  /** A proof needs several hashes of most tiles that it reads. */
  private readonly read = new Map<string, Promise<Buffer>>();

  constructor(
    readonly size: number,
    private readonly source: TileSource,
  ) {}

  root(): Promise<Buffer> {
    return this.size === 0 ? Promise.resolve(EMPTY_ROOT) : this.hashOf({ begin: 0, end: this.size });
  }

  /** The hashes that lead from leaf `index` to the root, the lowest first. */
  async inclusionProof(index: number): Promise<Buffer[]> {
    if (!Number.isSafeInteger(index) || index < 0 || index >= this.size)
      throw new RangeError('the leaf is not in the tree');
    const proof: Promise<Buffer>[] = [];
    let range: Range = { begin: 0, end: this.size };
    while (range.end - range.begin > 1) {
      const [left, right] = halves(range);
      const isLeft = index < left.end;
      proof.unshift(this.hashOf(isLeft ? right : left));
      range = isLeft ? left : right;
    }
    return Promise.all(proof);
  }

  /** The hashes that prove that the tree of the first `size` leaves is a prefix of this one. */
  async consistencyProof(size: number): Promise<Buffer[]> {
    if (!Number.isSafeInteger(size) || size < 1 || size > this.size)
      throw new RangeError('no smaller tree has that size');
    const proof: Promise<Buffer>[] = [];
    let range: Range = { begin: 0, end: this.size };
    while (range.end !== size) {
      const [left, right] = halves(range);
      const isLeft = size <= left.end;
      proof.unshift(this.hashOf(isLeft ? right : left));
      range = isLeft ? left : right;
    }
    // The verifier knows the root of the smaller tree already.
    if (range.begin > 0) proof.unshift(this.hashOf(range));
    return Promise.all(proof);
  }

  private async hashOf(range: Range): Promise<Buffer> {
    const level = Math.log2(range.end - range.begin);
    if (Number.isInteger(level)) return this.perfectHash(level, range.begin / 2 ** level);
    const [left, right] = halves(range);
    const [a, b] = await Promise.all([this.hashOf(left), this.hashOf(right)]);
    return nodeHash(a, b);
  }

  /** The root of the perfect subtree of 2^level leaves, counted from the left. */
  private async perfectHash(level: number, place: number): Promise<Buffer> {
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const hashes = 2 ** (level % TILE_HEIGHT);
    const first = place * hashes;
    const index = Math.floor(first / TILE_WIDTH);
    const tile = { level: tileLevel, index, width: widthIn(this.size, tileLevel, index) };
    const from = (first % TILE_WIDTH) * HASH_BYTES;
    return perfectRoot((await this.tile(tile)).subarray(from, from + hashes * HASH_BYTES));
  }

  private tile(tile: Tile): Promise<Buffer> {
    const name = tileName(tile);
    const known = this.read.get(name) ?? this.source.tile(tile);
    this.read.set(name, known);
    return known;
  }
}

/** The largest perfect subtree to the left, and the rest. */
function halves({ begin, end }: Range): [left: Range, right: Range] {
  let leaves = 1;
  while (2 * leaves < end - begin) leaves *= 2;
  return [
    { begin, end: begin + leaves },
    { begin: begin + leaves, end },
  ];
}
