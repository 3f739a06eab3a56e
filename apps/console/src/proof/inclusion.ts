import { isEqual, sha256 } from './bytes';

/** A tree as a checkpoint names it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

const half = (place: number): number => Math.floor(place / 2);
const isOdd = (place: number): boolean => place % 2 === 1;

export const leafHash = (entry: Uint8Array): Promise<Uint8Array> => sha256(LEAF, entry);

/** Whether the proof leads from an entry at `index` to the root of the tree (RFC 9162, 2.1.3.2). */
export async function isIncluded(
  entry: Uint8Array,
  index: number,
  proof: readonly Uint8Array[],
  { size, root }: TreeHead,
): Promise<boolean> {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [place, last] = [index, size - 1];
  let above = await leafHash(entry);
  for (const sibling of proof) {
    if (last === 0) return false;
    const isRight = isOdd(place) || place === last;
    above = isRight ? await sha256(NODE, sibling, above) : await sha256(NODE, above, sibling);
    while (isRight && !isOdd(place) && place > 0) [place, last] = [half(place), half(last)];
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isEqual(above, root);
}
