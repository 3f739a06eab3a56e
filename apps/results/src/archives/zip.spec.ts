import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportItem } from '@opendsr-service/contracts';
import { BrokenExport } from '../export/export-source';
import { readZip } from '../testing/read-zip';
import { ExportReader } from './export-reader';
import { piecesOf } from './pieces';
import { zipOf } from './zip';

const at = new Date('2026-11-21T09:00:00Z');
const profile = '{"id":2295239505589790330,"user_attributes":{}}';
const batch = (n: number) => `{"events":[],"n":${n},"mpid":2295239505589790330}`;

/** An export that counts its reads. */
class Watched {
  read = 0;
  closed = false;
  constructor(private readonly items: readonly ExportItem[]) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<ExportItem> {
    try {
      for (const item of this.items) {
        this.read += 1;
        yield await Promise.resolve(item);
      }
    } finally {
      this.closed = true;
    }
  }
}

const exportOf = (batches: number, attributes = 1): ExportItem[] => [
  { subjects: ['a'] },
  { profile },
  ...Array.from({ length: batches }, (_, n) => ({ batch: batch(n) })),
  { end: { profiles: 1, batches, attributes } },
];
const zipped = async (items: readonly ExportItem[]) => {
  const chunks: Buffer[] = [];
  for await (const chunk of zipOf(new ExportReader(new Watched(items)), at)) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe('an archive', () => {
  it('has one line per profile and batch, and a manifest with the digest of each file', async () => {
    const files = await readZip(await zipped(exportOf(2)));
    expect([...files.keys()]).toEqual(['profile.jsonl', 'events-001.jsonl', 'manifest.json']);
    expect(files.get('profile.jsonl')).toBe(`${profile}\n`);
    expect(files.get('events-001.jsonl')).toBe(`${batch(0)}\n${batch(1)}\n`);
    const manifest = JSON.parse(files.get('manifest.json') ?? '') as {
      created_at: string;
      files: { name: string; bytes: number; sha256: string }[];
    };
    expect(manifest.created_at).toBe('2026-11-21T09:00:00.000Z');
    for (const { name, bytes, sha256 } of manifest.files) {
      const content = Buffer.from(files.get(name) ?? '');
      expect({ name, bytes, sha256 }).toEqual({
        name,
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      });
    }
    expect(manifest.files.map(({ name }) => name)).toEqual(['profile.jsonl', 'events-001.jsonl']);
  });

  it('has one line for a profile that came in parts', async () => {
    const [subjects, , ...rest] = exportOf(0);
    const parts = [{ part: profile.slice(0, 10) }, { part: profile.slice(10), isLast: true } as const];
    const files = await readZip(await zipped([subjects as ExportItem, ...parts, ...rest]));
    expect(files.get('profile.jsonl')).toBe(`${profile}\n`);
  });

  it('starts a new file of events after ten thousand lines', async () => {
    const files = await readZip(await zipped(exportOf(10_001)));
    expect([...files.keys()]).toEqual(['profile.jsonl', 'events-001.jsonl', 'events-002.jsonl', 'manifest.json']);
    expect(files.get('events-002.jsonl')).toBe(`${batch(10_000)}\n`);
  });

  it('says so if a profile matched but has no data', async () => {
    expect([...(await readZip(await zipped(exportOf(0, 0)))).keys()]).toEqual([
      'profile.jsonl',
      'empty.txt',
      'manifest.json',
    ]);
    expect([...(await readZip(await zipped(exportOf(0, 1)))).keys()]).toEqual(['profile.jsonl', 'manifest.json']);
  });

  it('has the same bytes for the same export', async () => {
    expect(await zipped(exportOf(3))).toEqual(await zipped(exportOf(3)));
  });

  it.each([
    ['ends before its end', exportOf(2).slice(0, -1)],
    ['counts other than what came', [...exportOf(2).slice(0, -1), { end: { profiles: 1, batches: 3, attributes: 1 } }]],
    [
      'has a profile after a batch',
      [
        { subjects: ['a', 'b'] },
        { profile },
        { batch: batch(1) },
        { profile },
        { end: { profiles: 2, batches: 1, attributes: 0 } },
      ],
    ],
    ['ends within a profile', [...exportOf(0).slice(0, 2), { part: '{' }, ...exportOf(0).slice(2)]],
    ['begins a profile within another', [{ subjects: ['a'] }, { part: '{' }, ...exportOf(0).slice(1)]],
    ['does not say first whom it is about', exportOf(2).slice(1)],
    ['says so twice', [...exportOf(0).slice(0, 1), ...exportOf(0)]],
    [
      'holds more profiles than it named',
      [{ subjects: ['a'] }, { profile }, { profile }, { end: { profiles: 2, batches: 0, attributes: 0 } }],
    ],
  ] as [string, ExportItem[]][])('is not made of an export that %s', async (_, items) => {
    await expect(zipped(items)).rejects.toThrow(BrokenExport);
  });

  it('reads no further ahead than its reader needs, and ends the export when the reader stops', async () => {
    const items = Array.from({ length: 100_000 }, (_, n) => ({
      batch: `{"n":${createHash('sha256').update(String(n)).digest('hex').repeat(20)}}`,
    }));
    const watched = new Watched([{ subjects: ['a'] }, { profile }, ...items]);
    let bytes = 0;
    for await (const chunk of zipOf(new ExportReader(watched), at)) {
      bytes += chunk.length;
      if (bytes > 10_000) break;
    }
    expect(watched.closed).toBe(true);
    expect(watched.read).toBeLessThan(5_000);
  });
});

describe('pieces', () => {
  it('hold the same bytes in pieces of one size', async () => {
    const source = async function* () {
      for (const text of ['a', 'bcdefgh', '', 'ij']) yield await Promise.resolve(Buffer.from(text));
    };
    const pieces: string[] = [];
    for await (const piece of piecesOf(source(), 3)) pieces.push(piece.toString());
    expect(pieces).toEqual(['abc', 'def', 'ghi', 'j']);
  });
});

describe('golden lines', () => {
  it.each(['sample-profile.jsonl', 'sample-batches.jsonl'])('of %s pass through an archive unchanged', async (name) => {
    const golden = readFileSync(join(__dirname, '../testing/golden', name), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const files = await readZip(
      await zipped([
        { subjects: ['a'] },
        { profile },
        ...golden.map((line) => ({ batch: line })),
        { end: { profiles: 1, batches: golden.length, attributes: 0 } },
      ]),
    );
    expect(files.get('events-001.jsonl')).toBe(golden.map((line) => `${line}\n`).join(''));
  });
});
