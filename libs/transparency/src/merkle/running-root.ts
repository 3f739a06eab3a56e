import { EMPTY_ROOT, nodeHash } from './hash';

/** The root of leaves that come one after the other, in memory that grows with the logarithm of their number. */
export class RunningRoot {
  /** Perfect subtrees, the largest first. */
  private readonly subtrees: { readonly leaves: number; readonly hash: Buffer }[] = [];
  private leaves = 0;

  get size(): number {
    return this.leaves;
  }

  add(leafHash: Buffer): void {
    let subtree = { leaves: 1, hash: leafHash };
    for (let last = this.subtrees.at(-1); last?.leaves === subtree.leaves; last = this.subtrees.at(-1)) {
      this.subtrees.pop();
      subtree = { leaves: 2 * last.leaves, hash: nodeHash(last.hash, subtree.hash) };
    }
    this.subtrees.push(subtree);
    this.leaves += 1;
  }

  root(): Buffer {
    const [smallest, ...larger] = this.subtrees.map(({ hash }) => hash).toReversed();
    return smallest ? larger.reduce((right, left) => nodeHash(left, right), smallest) : EMPTY_ROOT;
  }
}
