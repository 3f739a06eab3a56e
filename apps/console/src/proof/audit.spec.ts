import { hash } from 'node:crypto';
import { auditRange } from './audit';

const WIDTH = 256;
const sha = (...parts: readonly Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');
const node = (left: Uint8Array, right: Uint8Array) => sha(Buffer.of(1), left, right);

/** The root as RFC 9162 defines it, without tiles. */
function rootOf(hashes: readonly Buffer[]): Buffer {
  const [only = Buffer.alloc(0)] = hashes;
  if (hashes.length <= 1) return only;
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return node(rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left)));
}

const pathOf = (index: number): string =>
  index < 1_000 ? String(index).padStart(3, '0') : `x${pathOf(Math.floor(index / 1_000))}/${pathOf(index % 1_000)}`;

/** The files of a log of so many entries, as C2SP tlog-tiles names them. */
function logOf(size: number) {
  const entries = Array.from({ length: size }, (_, at) => Buffer.from(`{"kind":"receipt","n":${String(at)}}\n`));
  const leaves = entries.map((entry) => sha(Buffer.of(0), entry));
  const files = new Map<string, Buffer>();
  const cut = (level: number | 'entries', parts: readonly Buffer[]): void => {
    for (let index = 0; index * WIDTH < parts.length; index++) {
      const own = parts.slice(index * WIDTH, (index + 1) * WIDTH);
      const part = own.length < WIDTH ? `.p/${String(own.length)}` : '';
      files.set(`tile/${String(level)}/${pathOf(index)}${part}`, Buffer.concat(own));
    }
  };
  cut(
    'entries',
    entries.map((entry) => Buffer.concat([Buffer.of(entry.length >> 8, entry.length % 256), entry])),
  );
  for (let [level, row] = [0, leaves]; row.length > 0; level++) {
    cut(level, row);
    row = Array.from({ length: Math.floor(row.length / WIDTH) }, (_, at) =>
      rootOf(row.slice(at * WIDTH, (at + 1) * WIDTH)),
    );
  }
  return { head: { size, root: rootOf(leaves) }, entries, files };
}

const audit = ({ head, files }: ReturnType<typeof logOf>, begin: number, end: number) =>
  auditRange(head, { begin, end }, (path) => Promise.resolve(files.get(path)));

it.each([
  [1, 0, 1],
  [255, 3, 255],
  [256, 0, 256],
  [257, 256, 257],
  [700, 250, 520],
  [66_000, 65_530, 65_800],
])('in a log of %i, finds the entries %i to %i at their places', async (size, begin, end) => {
  const log = logOf(size);
  const audited = await audit(log, begin, end);
  expect(audited).toEqual({ isSound: true, entries: log.entries.slice(begin, end) });
});

describe('names what is wrong', () => {
  const size = 600;
  const changed = (path: string, change: (bytes: Buffer) => Buffer | undefined) => {
    const log = logOf(size);
    const bytes = change(Buffer.from(log.files.get(path) ?? ''));
    if (bytes) log.files.set(path, bytes);
    else log.files.delete(path);
    return audit(log, 0, size);
  };
  const flip =
    (at: number) =>
    (bytes: Buffer): Buffer => {
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      return bytes;
    };

  it.each([
    ['an entry that was changed', 'tile/entries/001', flip(10), 'entry', '256'],
    ['a hash of a tile below others', 'tile/0/001', flip(0), 'tile', 'tile/0/001'],
    ['a hash at the edge', 'tile/0/002.p/88', flip(0), 'root', '600'],
    ['a tile above others', 'tile/1/000.p/2', flip(40), 'root', '600'],
    ['a bundle that is missing', 'tile/entries/002.p/88', () => undefined, 'missing', 'tile/entries/002.p/88'],
    ['a bundle that is cut', 'tile/entries/000', (all: Buffer) => all.subarray(0, -1), 'missing', 'tile/entries/000'],
    ['a tile that is cut', 'tile/0/000', (all: Buffer) => all.subarray(0, -32), 'missing', 'tile/0/000'],
  ] as const)('%s', async (_what, path, change, ...[kind, where]) => {
    expect(await changed(path, change)).toEqual({ isSound: false, fault: { kind, where } });
  });
});
