import { isEqual, sha256 } from './bytes';

/** A tree as a checkpoint names it. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

const LEAF = Uint8Array.of(0);
/** What stands before the two hashes of a node (RFC 9162). */
export const NODE = Uint8Array.of(1);

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
  let step: Step = { place: index, last: size - 1 };
  let above = await leafHash(entry);
  for (const sibling of proof) {
    if (step.last === 0) return false;
    above = isRight(step) ? await sha256(NODE, sibling, above) : await sha256(NODE, above, sibling);
    step = stepAbove(step);
  }
  return step.last === 0 && isEqual(above, root);
}

/** On the way up: the place of the node, and of the last one of its row. */
interface Step {
  readonly place: number;
  readonly last: number;
}

const isRight = ({ place, last }: Step): boolean => isOdd(place) || place === last;

/** A last node without a sibling climbs until it has one. */
function stepAbove(step: Step): Step {
  let { place, last } = step;
  while (isRight(step) && !isOdd(place) && place > 0) [place, last] = [half(place), half(last)];
  return { place: half(place), last: half(last) };
}
