import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
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
import { blockWith, FULL, follow, has, hasGo } from './testing/evidence-page';

const hasOpenssl = has('openssl', 'curl', 'xxd', 'base64');
const isGoThere = FULL && hasGo();
if (!hasOpenssl) console.log('No openssl, curl, xxd or base64: what the evidence page does with openssl did not run.');
if (FULL && !isGoThere) console.log('No go, or no modules for it: what the evidence page does with Go did not run.');

const signer = testSigner('dsr.example/transparency');
const witness = cosigner(privateKeyText('witness.example/w', Buffer.alloc(32, 3)), () => 1_700_000_000n);
const entry = (n: number) => Buffer.from(`{"kind":"receipt","digest":"${n}"}`);
const SIZE = 600;
const tiles = new MemoryTiles();
let served: readonly Buffer[];
let note: string;
let server: Server;
let folder: string;

beforeAll(async () => {
  served = Array.from({ length: SIZE }, (_, n) => entry(n));
  await tiles.append(served);
  const text = checkpointText({ origin: signer.name, size: SIZE, root: await tiles.tree().root() });
  const signed = signNote(text, signer);
  note = writeNote({ text, signatures: [signatureBy(witness, text), ...signed.signatures] });
  server = createServer((asked, answer) => {
    const path = asked.url?.slice('/transparency/'.length) ?? '';
    if (path === 'checkpoint') return void answer.end(note);
    const tile = readTilePath(path.slice('tile/'.length));
    if (tile?.level !== 'entries') return void answer.writeHead(404).end();
    const first = tile.index * TILE_WIDTH;
    answer.end(bundleOf(served.slice(first, first + tile.width)));
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

const tried = (block: string, key = signer.verifierKey) =>
  follow(block, folder, { URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, KEY: key });
const otherKey = testSigner('dsr.example/transparency', 2).verifierKey;

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
});
