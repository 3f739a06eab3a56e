import {
  bundleOf,
  checkpointText,
  entriesOf,
  openCheckpoint,
  signNote,
  tilesOf,
  writeNote,
  type Checkpoint,
  type FilledTile,
} from '@opendsr-service/transparency';
import { MemoryTiles, testSigner } from '@opendsr-service/transparency/testing';
import { readLog } from './read-log';

const signer = testSigner();
const entry = (n: number) =>
  Buffer.from(JSON.stringify({ kind: 'receipt', digest: `d${n}`, at: '2026-11-21T09:00:00Z' }));
const numbered = (count: number) => Array.from({ length: count }, (_, n) => entry(n));

/** A log of these entries, as its owner would serve it who hides nothing: all of it follows from the entries. */
async function logOf(entries: readonly Buffer[], by = signer) {
  const tiles = new MemoryTiles();
  await tiles.append(entries);
  const size = entries.length;
  const note = writeNote(signNote(checkpointText({ origin: by.name, size, root: await tiles.tree().root() }), by));
  return {
    note,
    checkpoint: () => Promise.resolve(note),
    async *entries(upTo: number): AsyncGenerator<readonly Buffer[]> {
      for (let first = 0; first < upTo; first += 256) {
        const bundle = bundleOf(entries.slice(first, Math.min(first + 256, upTo)));
        yield await Promise.resolve(entriesOf(bundle) as Buffer[]);
      }
    },
    async *tiles(upTo: number): AsyncGenerator<FilledTile> {
      for (const tile of tilesOf(upTo)) yield { ...tile, hashes: await tiles.tile(tile) };
    },
  };
}
type Log = Awaited<ReturnType<typeof logOf>>;

const seen = async (entries: readonly Buffer[]) =>
  openCheckpoint((await logOf(entries)).note, signer.verifier) as Checkpoint;
const faults = async (log: Log, last?: Checkpoint) => (await readLog(log, signer.verifier, last)).faults;
const mixed = async (entries: readonly Buffer[], rest: Log): Promise<Log> => {
  const other = await logOf(entries);
  return { ...rest, entries: (size) => other.entries(size) };
};

it('takes a log that continues what was seen, from no leaf up, and reads its entries', async () => {
  const log = await logOf(numbered(700));
  for (const size of [0, 1, 255, 256, 257, 699, 700]) expect(await faults(log, await seen(numbered(size)))).toEqual([]);
  expect(await faults(log)).toEqual([]);
  const { entries } = await readLog(log, signer.verifier, undefined);
  expect(entries.map(({ digest }) => digest)).toEqual(Array.from({ length: 700 }, (_, n) => `d${n}`));
});

describe('catches a log that was tampered with', () => {
  const all = numbered(600);
  const changed = all.map((one, n) => (n === 300 ? entry(9_999) : one));
  const removed = [...all.filter((_one, n) => n !== 300), entry(600)];
  const reordered = all.map((_one, n) => entry(n === 300 ? 301 : n === 301 ? 300 : n));

  it.each([
    ['changed', changed],
    ['removed', removed],
    ['reordered', reordered],
  ])('a leaf was %s below the checkpoint that stands', async (_what, entries) => {
    expect(await faults(await mixed(entries, await logOf(all)))).toEqual(['changed', 'tiles-differ']);
  });

  it.each([
    ['changed', changed],
    ['removed', removed],
    ['reordered', reordered],
  ])('a leaf was %s, and all that follows from it was signed again: a fork', async (_what, entries) => {
    expect(await faults(await logOf([...entries, entry(700)]), await seen(all))).toEqual(['forked']);
  });

  it('rolled back with a restored database, also where it grew again since', async () => {
    expect(await faults(await logOf(all.slice(0, 400)), await seen(all))).toEqual(['rolled-back']);
    const grown = [...all.slice(0, 400), ...Array.from({ length: 300 }, (_, n) => entry(5_000 + n))];
    expect(await faults(await logOf(grown), await seen(all))).toEqual(['forked']);
  });

  it('tiles of hashes that are not those of the entries, at any level', async () => {
    for (const level of [0, 1]) {
      const log = await logOf(all);
      const tiles = async function* (size: number) {
        for await (const tile of log.tiles(size))
          yield tile.level === level ? { ...tile, hashes: Buffer.alloc(tile.hashes.length) } : tile;
      };
      expect(await faults({ ...log, tiles })).toEqual(['tiles-differ']);
    }
  });

  it('signed by another key of the same name', async () => {
    expect(await faults(await logOf(all, testSigner(signer.name, 2)))).toEqual(['not-signed']);
  });

  it('an entry that this service does not write', async () => {
    for (const odd of ['null', '{"kind":1}', 'x'])
      expect(await faults(await logOf([...all, Buffer.from(odd)]))).toEqual(['unreadable-entry']);
  });
});
