import { nodeHash } from '../merkle/hash';
import { climbs, half, isOdd, type TreeHead } from '../merkle/verify';

/** Whether the proof shows that `before` is a prefix of `after` (RFC 9162, 2.1.4.2). A tree without leaves is a prefix of all. Readers of the log check it with programs of their own. */
export function isConsistent(before: TreeHead, after: TreeHead, proof: readonly Buffer[]): boolean {
  if (before.size === 0) return proof.length === 0;
  if (before.size === after.size) return proof.length === 0 && before.root.equals(after.root);
  return before.size < after.size && isPrefix(before, after, proof);
}

function isPrefix(before: TreeHead, after: TreeHead, proof: readonly Buffer[]): boolean {
  const isPerfect = Number.isInteger(Math.log2(before.size));
  const [start, ...rest] = isPerfect ? [before.root, ...proof] : proof;
  if (!start) return false;
  let [place, last] = [before.size - 1, after.size - 1];
  while (isOdd(place)) [place, last] = [half(place), half(last)];
  let [old, now] = [start, start];
  const isWhole = climbs([place, last], rest, (sibling, isLeft) => {
    if (isLeft) old = nodeHash(sibling, old);
    now = isLeft ? nodeHash(sibling, now) : nodeHash(now, sibling);
  });
  return isWhole && old.equals(before.root) && now.equals(after.root);
}
