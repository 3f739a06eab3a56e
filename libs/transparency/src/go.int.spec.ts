import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { noteSigner, privateKeyText } from './notes/keys';
import { checkpointText } from './notes/checkpoint';
import { signNote, writeNote } from './notes/note';
import { MemoryTiles } from './testing/memory-tiles';
import { VECTORS_FOLDER } from './testing/vectors';

const cwd = join(VECTORS_FOLDER, 'go');
// Modules come from the network at the first run, and Go compiles its own library.
const isRequired = process.env['DSR_REQUIRE_PROGRAMS'] === '1';
const isFull = process.env['DSR_INT'] === 'full' || isRequired;
const hasGo = isFull && spawnSync('go', ['build', '-o', '/dev/null', '.'], { cwd, stdio: 'ignore' }).status === 0;
if (isRequired && !hasGo) throw new Error('Go or its modules are missing, and DSR_REQUIRE_PROGRAMS is set');
if (isFull && !hasGo) console.log('No go, or no modules for it: what Go checks of a log did not run.');

const signer = noteSigner(privateKeyText('log.example/dsr', Buffer.alloc(32, 7)));
const entry = (n: number) => Buffer.from(`{"n":${n}}`);
const tiles = new MemoryTiles();
const base64 = (bytes: readonly Buffer[]) => bytes.map((one) => one.toString('base64'));
const checkpoint = async (size: number) =>
  writeNote(signNote(checkpointText({ origin: signer.name, size, root: await tiles.tree(size).root() }), signer));
const check = async (change: object = {}) =>
  execFileSync('go', ['run', '.', 'check'], {
    cwd,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
    input: JSON.stringify({
      VerifierKey: signer.verifierKey,
      Before: await checkpoint(300),
      After: await checkpoint(1000),
      Consistency: base64(await tiles.tree(1000).consistencyProof(300)),
      Entry: entry(777).toString('base64'),
      Index: 777,
      Inclusion: base64(await tiles.tree(1000).inclusionProof(777)),
      ...change,
    }),
  });

beforeAll(() => tiles.append(Array.from({ length: 1000 }, (_, n) => entry(n))));

(hasGo ? describe : describe.skip)('the code of the Go checksum database', () => {
  it('opens our checkpoints, and takes our proofs of inclusion and consistency', async () => {
    expect(await check()).toBe('consistent from 300 to 1000, leaf 777 included\n');
  });

  it('refuses another leaf, and a checkpoint of another key', async () => {
    await expect(check({ Entry: entry(778).toString('base64') })).rejects.toThrow();
    const other = noteSigner(privateKeyText('log.example/dsr', Buffer.alloc(32, 8)));
    await expect(check({ VerifierKey: other.verifierKey })).rejects.toThrow();
  });
});
