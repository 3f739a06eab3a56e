import { nodeHash } from './hash';

/** A tree as a checkpoint names it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Buffer;
}

export const isOdd = (place: number): boolean => place % 2 === 1;
export const half = (place: number): number => Math.floor(place / 2);

/** The way from a leaf to the root, by place of the leaf and of the last one. False: the proof has another length than the way. */
export function climbs(
  [leaf, lastLeaf]: readonly [number, number],
  proof: readonly Buffer[],
  join: (sibling: Buffer, isLeft: boolean) => void,
): boolean {
  let [place, last] = [leaf, lastLeaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    const isLeft = isOdd(place) || place === last;
    join(sibling, isLeft);
    while (isLeft && !isOdd(place) && place > 0) [place, last] = [half(place), half(last)];
    [place, last] = [half(place), half(last)];
  }
  return last === 0;
}

/** Whether the proof shows the hash of a leaf at `index` of the tree (RFC 9162, 2.1.3.2). */
export function isIncluded(hash: Buffer, index: number, proof: readonly Buffer[], { size, root }: TreeHead): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let above = hash;
  const isWhole = climbs([index, size - 1], proof, (sibling, isLeft) => {
    above = isLeft ? nodeHash(sibling, above) : nodeHash(above, sibling);
  });
  return isWhole && above.equals(root);
}
