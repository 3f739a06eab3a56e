import { logVectors, vectorEntry } from '../testing/vectors';
import { MemoryTiles } from '../testing/memory-tiles';
import { bundleOf, entriesOf } from './entries';
import { EMPTY_ROOT, leafHash, nodeHash } from './hash';
import { RunningRoot } from './running-root';
import { readTilePath, tilePath, tilesOf } from './tile';
import { isConsistent } from '../testing/is-consistent';
import { isIncluded } from './verify';

const vectors = logVectors();
const tiles = new MemoryTiles();
const base64 = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('base64'));
const rootAt = async (size: number) => ({ size, root: await tiles.tree(size).root() });

beforeAll(async () => {
  // Batches of uneven sizes, so that partial tiles grow in every way.
  const sizes = [1, 2, 250, 1, 3, 255, 256, 257];
  for (let n = 0, turn = 0; n < vectors.Leaves; turn++) {
    const count = Math.min(sizes[turn % sizes.length] as number, vectors.Leaves - n);
    await tiles.append(Array.from({ length: count }, (_, more) => vectorEntry(n + more)));
    n += count;
  }
});

it('hashes as RFC 6962 says: an empty tree, a leaf of no bytes, a node', () => {
  expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  // Reference values of the certificate transparency test suite.
  expect(leafHash(Buffer.alloc(0)).toString('hex')).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  );
  expect(nodeHash(leafHash(Buffer.alloc(0)), leafHash(Buffer.from([0]))).toString('hex')).toBe(
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  );
});

it('computes the roots that Go computes, at sizes around every edge of a tile', async () => {
  for (const [size, root] of Object.entries(vectors.Roots))
    expect([size, (await tiles.tree(Number(size)).root()).toString('base64')]).toEqual([size, root]);
});

it('computes them as well from leaves that come one after the other', () => {
  const running = new RunningRoot();
  expect(running.root()).toEqual(EMPTY_ROOT);
  for (let n = 0; n < vectors.Leaves; n++) {
    running.add(leafHash(vectorEntry(n)));
    const root = vectors.Roots[String(running.size)];
    if (root !== undefined) expect([running.size, running.root().toString('base64')]).toEqual([n + 1, root]);
  }
});

it('proves inclusion as Go does, and verifies it', async () => {
  for (const { Size, Index, Proof } of vectors.Inclusion) {
    const proof = await tiles.tree(Size).inclusionProof(Index);
    expect([Size, Index, base64(proof)]).toEqual([Size, Index, Proof]);
    expect(isIncluded(leafHash(vectorEntry(Index)), Index, proof, await rootAt(Size))).toBe(true);
  }
});

it('proves consistency as Go does, and verifies it', async () => {
  for (const { Before, After, Proof } of vectors.Consistency) {
    const proof = await tiles.tree(After).consistencyProof(Before);
    expect([Before, After, base64(proof)]).toEqual([Before, After, Proof]);
    expect(isConsistent(await rootAt(Before), await rootAt(After), proof)).toBe(true);
  }
});

it('takes no proof of another leaf, place or tree, and none with a hash more, less or changed', async () => {
  for (const { Size, Index } of vectors.Inclusion.filter(({ Size: size }) => size > 1)) {
    const head = await rootAt(Size);
    const hash = leafHash(vectorEntry(Index));
    const proof = await tiles.tree(Size).inclusionProof(Index);
    const isShown = (change: { of?: Buffer; at?: number; by?: readonly Buffer[] }) =>
      isIncluded(change.of ?? hash, change.at ?? Index, change.by ?? proof, head);
    expect(isShown({})).toBe(true);
    expect(isShown({ of: leafHash(vectorEntry(Index + 1)) })).toBe(false);
    expect(isShown({ at: Index === 0 ? 1 : Index - 1 })).toBe(false);
    expect(isShown({ at: Size })).toBe(false);
    expect(isShown({ by: [...proof, hash] })).toBe(false);
    expect(isShown({ by: proof.slice(1) })).toBe(false);
    expect(isShown({ by: [hash, ...proof.slice(1)] })).toBe(false);
    expect(isIncluded(hash, Index, proof, { size: Size, root: hash })).toBe(false);
  }
});

it('takes no proof of a history that was rewritten, cut or swapped', async () => {
  const changed = new MemoryTiles();
  await changed.append(Array.from({ length: 1000 }, (_, n) => vectorEntry(n === 3 ? 7 : n)));
  const other = { size: 300, root: await changed.tree(300).root() };
  const [before, after] = [await rootAt(300), await rootAt(1000)];
  const proof = await tiles.tree(1000).consistencyProof(300);
  expect(isConsistent(before, after, proof)).toBe(true);
  expect(isConsistent(other, after, proof)).toBe(false);
  expect(isConsistent(other, after, await changed.tree(1000).consistencyProof(300))).toBe(false);
  expect(isConsistent(after, before, proof)).toBe(false);
  expect(isConsistent(before, after, proof.slice(1))).toBe(false);
  expect(isConsistent(before, after, [...proof, after.root])).toBe(false);
  expect(isConsistent(before, { ...before, root: other.root }, [])).toBe(false);
  expect(isConsistent(before, after, [])).toBe(false);
});

it('refuses a proof of what the tree does not have', async () => {
  await expect(tiles.tree(10).inclusionProof(10)).rejects.toThrow(RangeError);
  await expect(tiles.tree(10).consistencyProof(11)).rejects.toThrow(RangeError);
  await expect(tiles.tree(10).consistencyProof(0)).rejects.toThrow(RangeError);
});

it('names tiles as C2SP tlog-tiles does, and reads no other spelling', () => {
  for (const size of [5, 256, 300, 1100])
    expect(tilesOf(size).map(tilePath).sort()).toEqual([...(vectors.Tiles[String(size)] ?? [])].sort());
  for (const index of [0, 999, 1000, 1234067, 999999999]) {
    const [path = ''] = vectors.Tiles[`index ${index}`] ?? [];
    expect(tilePath({ level: 0, index, width: 256 })).toBe(path);
    expect(readTilePath(path.slice('tile/'.length))).toEqual({ level: 0, index, width: 256 });
  }
  expect(readTilePath('entries/x001/234.p/5')).toEqual({ level: 'entries', index: 1234, width: 5 });
  for (const path of [
    ...['0/1', '0/0001', '0/x000/001', '0/001.p/0', '0/001.p/256', '0/001.p/05', '6/000', '-1/000', '0/000/', ''],
    ...['entries', 'data/000', '0/x001', '0/../000', '00/000', '0/x999/x999/x999/x999/x999/999'],
  ])
    expect([path, readTilePath(path)]).toEqual([path, undefined]);
});

it('reads from a bundle the entries that it holds, and nothing where a length does not fit', () => {
  const entries = [Buffer.from('a'), Buffer.alloc(0), Buffer.alloc(65_535, 1)];
  expect(entriesOf(bundleOf(entries))).toEqual(entries);
  expect(entriesOf(bundleOf(entries).subarray(0, -1))).toBeUndefined();
  expect(entriesOf(Buffer.from([0]))).toBeUndefined();
  expect(() => bundleOf([Buffer.alloc(65_536)])).toThrow(RangeError);
});
