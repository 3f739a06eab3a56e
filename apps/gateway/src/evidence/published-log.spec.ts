import { bundleOf, checkpointText, signNote, tilePath, writeNote, type Tile } from '@opendsr-service/transparency';
import { MemoryTiles, testSigner } from '@opendsr-service/transparency/testing';
import { KeptTiles } from './kept-tiles';
import { PublishedLog } from './published-log';

const signer = testSigner();
const entry = (n: number) => Buffer.from(`{"kind":"receipt","n":${n}}`);

/** A log of 600 leaves; `reads` holds each read of its stores. */
async function opened() {
  const reads: string[] = [];
  const stored = new MemoryTiles();
  const entries = Array.from({ length: 600 }, (_, n) => entry(n));
  await stored.append(entries);
  const text = checkpointText({ origin: signer.name, size: entries.length, root: await stored.tree().root() });
  const note = writeNote(signNote(text, signer));
  const tiles = new KeptTiles({
    tile: (tile: Tile) => {
      reads.push(tilePath(tile));
      return stored.tile(tile);
    },
  });
  const log = new PublishedLog(
    {
      read: () => {
        reads.push('checkpoint');
        return Promise.resolve({ note } as never);
      },
    },
    {
      find: (id) => Promise.resolve({ _id: id, index: Number(id), entry: entry(Number(id)).toString() } as never),
      entries: (from, to) => {
        reads.push(`entries ${from}-${to}`);
        return Promise.resolve(entries.slice(from, to));
      },
    },
    tiles,
    { cosignatures: () => Promise.resolve([]) },
  );
  const readsOf = async (path: string) => {
    reads.length = 0;
    const bytes = await log.tile(path);
    return { bytes, reads: [...reads] };
  };
  return { log, reads, readsOf, stored, entries };
}

it('reads a full tile once from the store, and one that grows each time', async () => {
  const { readsOf, stored } = await opened();
  const hashes = await stored.tile({ level: 0, index: 1, width: 256 });
  expect(await readsOf('0/001')).toEqual({ bytes: hashes, reads: ['checkpoint', 'tile/0/001'] });
  for (let n = 0; n < 3; n++) expect(await readsOf('0/001')).toEqual({ bytes: hashes, reads: [] });
  for (let n = 0; n < 2; n++) expect((await readsOf('0/002.p/88')).reads).toEqual(['tile/0/002.p/88']);
  for (let n = 0; n < 2; n++) expect((await readsOf('1/000.p/2')).reads).toEqual(['tile/1/000.p/2']);
});

it('reads a full bundle of entries once from the store, and one that grows each time', async () => {
  const { readsOf, entries } = await opened();
  const bundle = bundleOf(entries.slice(256, 512));
  expect(await readsOf('entries/001')).toEqual({ bytes: bundle, reads: ['checkpoint', 'entries 256-512'] });
  for (let n = 0; n < 3; n++) expect(await readsOf('entries/001')).toEqual({ bytes: bundle, reads: [] });
  for (let n = 0; n < 2; n++) expect((await readsOf('entries/002.p/88')).reads).toEqual(['entries 512-600']);
  expect((await readsOf('entries/001.p/4')).reads).toEqual(['entries 256-260']);
  expect(await readsOf('entries/001')).toEqual({ bytes: bundle, reads: [] });
});

it('proves leaves below full tiles without another read of these', async () => {
  const { log, reads } = await opened();
  await log.inclusionOf('3');
  expect(reads).toContain('tile/0/000');
  reads.length = 0;
  await log.inclusionOf('4');
  expect(reads).toContain('checkpoint');
  expect(reads).not.toContain('tile/0/000');
});
