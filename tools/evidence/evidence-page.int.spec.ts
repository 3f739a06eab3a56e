import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bundleOf,
  checkpointText,
  privateKeyText,
  readTilePath,
  signatureBy,
  signNote,
  TILE_WIDTH,
  writeNote,
} from '@opendsr-service/transparency';
import { cosigner, MemoryTiles, testSigner } from '@opendsr-service/transparency/testing';
import { blockWith, FULL, follow, has, hasGo, missing } from './testing/evidence-page';

const hasOpenssl = has('openssl', 'curl', 'xxd', 'base64');
const isGoThere = FULL && hasGo();
if (!hasOpenssl) console.log('No openssl, curl, xxd or base64: what the evidence page does with openssl did not run.');
if (FULL && !isGoThere) missing('No go, or no modules for it: what the evidence page does with Go did not run');

const signer = testSigner('dsr.example/transparency');
const witness = cosigner(privateKeyText('witness.example/w', Buffer.alloc(32, 3)), () => 1_700_000_000n);
const entry = (n: number) => Buffer.from(`{"kind":"receipt","digest":"${n}"}`);
const numbered = (count: number) => Array.from({ length: count }, (_, n) => entry(n));
const SIZE = 600;
const tiles = new MemoryTiles();
let served: readonly Buffer[];
let note: string;
let server: Server;
let folder: string;

beforeAll(async () => {
  served = numbered(SIZE);
  await tiles.append(served);
  note = await noteOf(tiles);
  server = createServer((asked, answer) => {
    const path = asked.url?.slice('/transparency/'.length) ?? '';
    if (path === 'checkpoint') return void answer.end(note);
    const tile = readTilePath(path.slice('tile/'.length));
    if (!tile) return void answer.writeHead(404).end();
    const { level, index, width } = tile;
    if (level !== 'entries') return void tiles.tile({ level, index, width }).then((bytes) => answer.end(bytes));
    const first = index * TILE_WIDTH;
    answer.end(bundleOf(served.slice(first, first + width)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evidence-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** The checkpoint of a tree, as the log would serve it. */
async function noteOf(of: MemoryTiles, by = signer): Promise<string> {
  const text = checkpointText({ origin: by.name, size: of.size, root: await of.tree().root() });
  return writeNote({ text, signatures: [signatureBy(witness, text), ...signNote(text, by).signatures] });
}

const tried = (block: string, key = signer.verifierKey, more: Readonly<Record<string, string>> = {}) =>
  follow(block, folder, { URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, KEY: key, ...more });
const replaced = testSigner('dsr.example/transparency', 2);
const otherKey = replaced.verifierKey;

(hasOpenssl ? describe : describe.skip)('what the page does with openssl', () => {
  it('verifies the signature of the checkpoint, and refuses that of another key', async () => {
    expect((await tried(blockWith('openssl pkeyutl'))).stdout).toContain('Signature Verified Successfully');
    await expect(tried(blockWith('openssl pkeyutl'), otherKey)).rejects.toThrow();
  });
});

(isGoThere ? describe : describe.skip)('what the page does with Go', () => {
  it('verifies the checkpoint and all entries, and refuses a changed entry and another key', async () => {
    const block = blockWith('sumdb/tlog');
    expect((await tried(block)).stdout).toBe('600 entries have the root of the checkpoint\n');
    await expect(tried(block, otherKey)).rejects.toThrow();
    served = served.map((one, n) => (n === 300 ? entry(9) : one));
    await expect(tried(block)).rejects.toThrow(/do not have the root/);
  });

  it('proves that the log continues an earlier checkpoint, also one of its old key, and refuses a fork and a rollback', async () => {
    const block = blockWith('CheckTree');
    const keep = async (entries: readonly Buffer[], by = signer) => {
      const earlier = new MemoryTiles();
      await earlier.append(entries);
      writeFileSync(join(folder, 'earlier'), await noteOf(earlier, by));
    };
    await keep(numbered(300));
    expect((await tried(block)).stdout).toBe('the log of 600 entries continues the checkpoint of 300\n');
    await keep(numbered(300), replaced);
    await expect(tried(block)).rejects.toThrow(/not signed|no verifiable signatures/i);
    expect((await tried(block, undefined, { OLD_KEY: otherKey })).stdout).toContain('continues');
    await keep([entry(9), ...numbered(300).slice(1)]);
    await expect(tried(block)).rejects.toThrow(/does not continue/);
    await keep(numbered(SIZE + 1));
    await expect(tried(block)).rejects.toThrow(/rolled back/);
  });
});
