import { nodeHash } from './hash';

/** A tree as a checkpoint names it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Buffer;
}

const isOdd = (place: number): boolean => place % 2 === 1;
const half = (place: number): number => Math.floor(place / 2);

/** Whether the proof shows the hash of a leaf at `index` of the tree (RFC 9162, 2.1.3.2). */
export function isIncluded(hash: Buffer, index: number, proof: readonly Buffer[], { size, root }: TreeHead): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [place, last] = [index, size - 1];
  let above = hash;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      above = nodeHash(sibling, above);
      while (!isOdd(place) && place > 0) [place, last] = [half(place), half(last)];
    } else above = nodeHash(above, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && above.equals(root);
}

/** Whether the proof shows that `before` is a prefix of `after` (RFC 9162, 2.1.4.2). A tree without leaves is a prefix of all. */
export function isConsistent(before: TreeHead, after: TreeHead, proof: readonly Buffer[]): boolean {
  if (before.size === 0) return proof.length === 0;
  if (before.size === after.size) return proof.length === 0 && before.root.equals(after.root);
  if (before.size > after.size) return false;
  const isPerfect = Number.isInteger(Math.log2(before.size));
  const [start, ...rest] = isPerfect ? [before.root, ...proof] : proof;
  if (!start) return false;
  let [place, last] = [before.size - 1, after.size - 1];
  while (isOdd(place)) [place, last] = [half(place), half(last)];
  let [old, now] = [start, start];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(place) || place === last) {
      [old, now] = [nodeHash(sibling, old), nodeHash(sibling, now)];
      while (!isOdd(place) && place > 0) [place, last] = [half(place), half(last)];
    } else now = nodeHash(now, sibling);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && old.equals(before.root) && now.equals(after.root);
}
