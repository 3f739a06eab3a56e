/** Levels of the tree that one tile holds (C2SP tlog-tiles). */
export const TILE_HEIGHT = 8;
/** Hashes of a full tile, and entries of a full bundle. */
export const TILE_WIDTH = 256;

/** A tile of hashes; `width` is the number of its hashes, less than 256 at the right edge of the tree. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  readonly width: number;
}

/** A bundle of entries, the leaves of the level 0 tile of the same index. */
export type EntryBundle = Omit<Tile, 'level'>;

const MAX_LEVEL = 5;
const GROUP = 1_000;
const INDEX = String.raw`((?:x\d{3}\/){0,5}\d{3})`;
const PARTIAL = String.raw`(?:\.p\/([1-9]\d{0,2}))?`;
const TILE_PATH = new RegExp(`^(entries|[0-5])/${INDEX}${PARTIAL}$`);

function indexPath(index: number): string {
  const groups = [String(index % GROUP).padStart(3, '0')];
  for (let rest = Math.floor(index / GROUP); rest > 0; rest = Math.floor(rest / GROUP))
    groups.unshift(`x${String(rest % GROUP).padStart(3, '0')}`);
  return groups.join('/');
}

const partOf = (width: number): string => (width < TILE_WIDTH ? `.p/${width}` : '');

/** The name of a tile, however wide it is by now: `<level>/<index>`. */
export const tileName = ({ level, index }: Omit<Tile, 'width'>): string => `${level}/${index}`;

/** The path of a tile below the prefix of the log, such as `tile/0/x001/234.p/5`. */
export const tilePath = ({ level, index, width }: Tile): string => `tile/${level}/${indexPath(index)}${partOf(width)}`;

/** The path of a bundle of entries, such as `tile/entries/000.p/3`. */
export const bundlePath = ({ index, width }: EntryBundle): string => `tile/entries/${indexPath(index)}${partOf(width)}`;

/** Reads what follows `tile/` in a path. Undefined where it is no canonical path of a tile or bundle. */
export function readTilePath(path: string): Tile | (EntryBundle & { readonly level: 'entries' }) | undefined {
  const [, kind, groups, part] = TILE_PATH.exec(path) ?? [];
  if (kind === undefined || groups === undefined) return undefined;
  const index = groups.split('/').reduce((sum, group) => sum * GROUP + Number(group.replace('x', '')), 0);
  const width = part === undefined ? TILE_WIDTH : Number(part);
  if ((part !== undefined && width >= TILE_WIDTH) || !Number.isSafeInteger(index) || indexPath(index) !== groups)
    return undefined;
  return { level: kind === 'entries' ? kind : Number(kind), index, width };
}

/** How many hashes level `level` of tiles has in a tree of `size` leaves. */
export const hashesAt = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level);

/** The width of a tile in a tree of `size` leaves; 0 where the tree does not have it. */
export const widthIn = (size: number, level: number, index: number): number =>
  Math.max(0, Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH));

/** All tiles of a tree, from the leaves up, the partial ones with the width that they have at this size. */
export function tilesOf(size: number): Tile[] {
  const tiles: Tile[] = [];
  for (let level = 0; level <= MAX_LEVEL && hashesAt(level, size) > 0; level++)
    for (let index = 0; index * TILE_WIDTH < hashesAt(level, size); index++)
      tiles.push({ level, index, width: widthIn(size, level, index) });
  return tiles;
}
