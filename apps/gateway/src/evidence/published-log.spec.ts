import { systemClock } from '@opendsr-service/service';
import {
  bundleOf,
  checkpointText,
  HASH_BYTES,
  isIncluded,
  isSignedBy,
  leafHash,
  openCheckpoint,
  readNote,
  signatureBy,
  signatureLine,
  signNote,
  tilePath,
  writeNote,
  type NoteSigner,
  type Tile,
} from '@opendsr-service/transparency';
import { MemoryTiles, testSigner } from '@opendsr-service/transparency/testing';
import { KeptTiles } from './kept-tiles';
import { PublishedLog } from './published-log';

const signer = testSigner();
const entry = (n: number) => Buffer.from(`{"kind":"receipt","n":${n}}`);

/** A log of 600 leaves; `reads` holds each read of its stores. `cosigned`: by whom its checkpoints of which sizes are. */
async function opened(cosigned: readonly (readonly [NoteSigner, number])[] = [], earlier = signer) {
  const reads: string[] = [];
  const stored = new MemoryTiles();
  const entries = Array.from({ length: 600 }, (_, n) => entry(n));
  await stored.append(entries);
  // Of a larger log nothing is known here.
  const rootOf = (size: number) => (size > entries.length ? Buffer.alloc(HASH_BYTES) : stored.tree(size).root());
  const noteOf = async (size: number, by = signer) =>
    writeNote(signNote(checkpointText({ origin: signer.name, size, root: await rootOf(size) }), by));
  const note = await noteOf(entries.length);
  const lines = await Promise.all(
    cosigned.map(async ([witness, size]) => {
      const of = await noteOf(size, size < entries.length ? earlier : signer);
      return { size, note: of, cosignature: signatureLine(signatureBy(witness, readNote(of)?.text ?? '')) };
    }),
  );
  const tiles = new KeptTiles(
    {
      tile: (tile: Tile) => {
        reads.push(tilePath(tile));
        return stored.tile(tile);
      },
    },
    systemClock,
  );
  const log = new PublishedLog(
    {
      read: () => {
        reads.push('checkpoint');
        return Promise.resolve({ note } as never);
      },
    },
    {
      addedAt: () => Promise.resolve(undefined),
      find: (id) => Promise.resolve({ _id: id, index: Number(id), entry: entry(Number(id)).toString() } as never),
      entries: (from, to) => {
        reads.push(`entries ${from}-${to}`);
        return Promise.resolve(entries.slice(from, to));
      },
    },
    tiles,
    { cosigned: () => Promise.resolve(lines) },
  );
  const readsOf = async (path: string) => {
    reads.length = 0;
    const bytes = await log.tile(path);
    return { bytes, reads: [...reads] };
  };
  return { log, reads, readsOf, stored, entries };
}

it('reads a tile once from the store, and again once it has grown', async () => {
  const { readsOf, stored } = await opened();
  const hashes = await stored.tile({ level: 0, index: 1, width: 256 });
  expect(await readsOf('0/001')).toEqual({ bytes: hashes, reads: ['checkpoint', 'tile/0/001'] });
  for (let n = 0; n < 3; n++) expect(await readsOf('0/001')).toEqual({ bytes: hashes, reads: [] });
  expect((await readsOf('0/002.p/80')).reads).toEqual(['tile/0/002.p/80']);
  expect((await readsOf('0/002.p/88')).reads).toEqual(['tile/0/002.p/88']);
  for (const width of [88, 80, 1]) {
    const bytes = await stored.tile({ level: 0, index: 2, width });
    expect(await readsOf(`0/002.p/${width}`)).toEqual({ bytes, reads: [] });
  }
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

it('proves a leaf without another read of the tiles that an earlier proof read', async () => {
  const { log, reads } = await opened();
  await log.inclusionOf('3');
  expect(reads).toContain('tile/0/000');
  reads.length = 0;
  await log.inclusionOf('4');
  expect(reads).toEqual(['checkpoint']);
});

describe('the proof of a leaf', () => {
  const [first, second] = [testSigner('witness.example/w1', 3), testSigner('other.example/w2', 4)];
  /** The size of its checkpoint and who has cosigned that, once all signatures and the proof are verified. */
  async function proved(index: number, ...given: Parameters<typeof opened>) {
    const { log, entries } = await opened(...given);
    const { checkpoint = '', inclusion = [], ...leaf } = (await log.inclusionOf(String(index))) ?? {};
    const opening = openCheckpoint(checkpoint, signer.verifier);
    if (!opening) throw new Error('the log has not signed it');
    const { note, size, root } = opening;
    expect(leaf).toEqual({ index, entry: entries[index] });
    const proof = inclusion.map((hash) => Buffer.from(hash));
    expect(isIncluded(leafHash(entry(index)), index, proof, { size, root })).toBe(true);
    return [size, ...[first, second].filter(({ verifier }) => isSignedBy(note, verifier)).map(({ name }) => name)];
  }

  it.each<[string, number, readonly (readonly [NoteSigner, number])[], readonly unknown[]]>([
    ['a cosigned checkpoint before a newer one without', 5, [[first, 590]], [590, first.name]],
    ['the newest where none is cosigned', 5, [], [600]],
    ['the newest where no other one covers the leaf', 595, [[first, 590]], [600]],
    [
      'the newest of those with as many cosignatures',
      5,
      [
        [first, 580],
        [second, 590],
      ],
      [590, second.name],
    ],
    [
      'most cosignatures before the newest',
      5,
      [
        [first, 590],
        [second, 590],
      ],
      [590, first.name, second.name],
    ],
    [
      'the newest with all cosignatures',
      5,
      [
        [first, 600],
        [second, 600],
      ],
      [600, first.name, second.name],
    ],
    ['none that the database has no leaves for', 5, [[first, 700]], [600]],
  ])('has %s', async (_title, index, cosigned, expected) => {
    expect(await proved(index, cosigned)).toEqual(expected);
  });

  it('has no checkpoint of a key of the log that was replaced', async () => {
    expect(await proved(5, [[first, 590]], testSigner(signer.name, 9))).toEqual([600]);
  });
});
