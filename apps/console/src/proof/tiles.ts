import { concat, sha256 } from './bytes';
import { NODE } from './inclusion';

/** Hashes of a full tile, and entries of a full bundle (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;
export const HASH_BYTES = 32;
const LENGTH_BYTES = 2;
const GROUP = 1_000;

/** How many hashes a tile of a tree of `size` leaves has: less than 256 at the right edge, 0 where there is none. */
export const widthIn = (size: number, level: number, index: number): number =>
  Math.max(0, Math.min(TILE_WIDTH, Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH));

/** The path of a tile below the address of the log, such as `tile/0/x001/234.p/5`; `entries`: of the bundle of its entries. */
export function tilePath(level: number | 'entries', index: number, width: number): string {
  const groups = [String(index % GROUP).padStart(3, '0')];
  for (let rest = Math.floor(index / GROUP); rest > 0; rest = Math.floor(rest / GROUP))
    groups.unshift(`x${String(rest % GROUP).padStart(3, '0')}`);
  return `tile/${level}/${groups.join('/')}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/** The entries of a bundle, each of which stands after its length; undefined where the lengths do not fit. */
export function entriesOf(bundle: Uint8Array): Uint8Array[] | undefined {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundle.length;) {
    const [high, low] = bundle.subarray(at, at + LENGTH_BYTES);
    if (high === undefined || low === undefined) return undefined;
    const end = at + LENGTH_BYTES + high * 256 + low;
    if (end > bundle.length) return undefined;
    entries.push(bundle.subarray(at + LENGTH_BYTES, end));
    at = end;
  }
  return entries;
}

export const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Uint8Array> => sha256(NODE, left, right);

/** The root over 2^n hashes that stand one after the other. */
export async function perfectRoot(hashes: Uint8Array): Promise<Uint8Array> {
  let row = hashes;
  while (row.length > HASH_BYTES) {
    const pairs = Array.from({ length: row.length / (2 * HASH_BYTES) }, (_, at) => at * 2 * HASH_BYTES);
    row = concat(
      ...(await Promise.all(
        pairs.map((at) =>
          nodeHash(row.subarray(at, at + HASH_BYTES), row.subarray(at + HASH_BYTES, at + 2 * HASH_BYTES)),
        ),
      )),
    );
  }
  return row;
}
