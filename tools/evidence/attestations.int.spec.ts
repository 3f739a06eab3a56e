import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../e2e/repository';
import { blockWith, FULL, follow, has, hasGo, missing } from './testing/evidence-page';

/** As far as the page needs it (libs/client/vectors/attestations). */
interface Vector {
  readonly file_base64: string;
  readonly trust_pem: string;
  readonly allowed_domains: readonly string[];
  readonly log_key: string;
}

const vectorOf = (name: string) =>
  JSON.parse(readFileSync(repository(`libs/client/vectors/attestations/${name}.json`), 'utf8')) as Vector;
const good = vectorOf('good-bundle');
const bundleOf = (vector: Vector) =>
  JSON.parse(Buffer.from(vector.file_base64, 'base64').toString()) as { envelope: string };

const dsse = blockWith('securesystemslib.dsse');
const install = dsse.split('\n', 1)[0] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'attestations-'));
const hasOpenssl = has('openssl', 'jq', 'base64');
const isGoThere = FULL && hasGo();
// Packages come from the network.
const isDsseThere =
  FULL && has('python3') && spawnSync('sh', ['-c', install], { cwd: folder, stdio: 'ignore' }).status === 0;
if (!hasOpenssl) console.log('No openssl, jq or base64: what the evidence page does with openssl did not run.');
if (FULL && !isGoThere) missing('No go, or no modules for it: what the evidence page does with Go did not run');
if (FULL && !isDsseThere)
  missing('No python3, or no packages: what the evidence page does with a DSSE library did not run');
afterAll(() => rmSync(folder, { recursive: true }));

const tried = (block: string, bundle: object, { key = good.log_key, domain = good.allowed_domains[0] ?? '' } = {}) => {
  writeFileSync(join(folder, 'bundle.json'), JSON.stringify(bundle));
  writeFileSync(join(folder, 'ca.pem'), good.trust_pem);
  return follow(block, folder, { KEY: key, DOMAIN: domain, CA: 'ca.pem' });
};
const whole = bundleOf(good);
const forged = (name: string): object => bundleOf(vectorOf(name));
const otherSignature = { ...whole, envelope: vectorOf('signature-altered-byte').file_base64 };
const otherPayload = { ...whole, envelope: vectorOf('signature-other-payload').file_base64 };

(hasOpenssl ? describe : describe.skip)('what the page does with a bundle and openssl', () => {
  const block = blockWith('DSSEv1');

  it('verifies signature, chain, domain and dates', async () => {
    const { stdout } = await tried(block, whole);
    expect(stdout).toContain('Verified OK');
    expect(stdout).toContain('chain.pem: OK');
  });

  const forgeries: [string, object][] = [
    ['another signature', otherSignature],
    ['a certificate that had expired when the log took the entry', forged('dates-expired-before-log')],
    ['another payload', otherPayload],
    ['a certificate of another domain', forged('names-other')],
  ];
  it.each(FULL ? forgeries : forgeries.slice(0, 2))('refuses %s', async (_, bundle) => {
    await expect(tried(block, bundle)).rejects.toThrow();
  });
});

(isGoThere ? describe : describe.skip)('what the page does with a bundle and Go', () => {
  const block = blockWith('CheckRecord');

  it('verifies checkpoint, proof and entry', async () => {
    expect((await tried(block, whole)).stdout).toBe(
      'leaf 11 of 20 is this attestation, signed 2026-01-01T00:00:02.000Z\n',
    );
  });

  it.each([
    ['another hash in the proof', forged('inclusion-other-hash')],
    ['another entry', forged('inclusion-other-entry')],
    ['the entry of another envelope', forged('entry-other-envelope')],
    ['a checkpoint of another key', forged('checkpoint-other-key')],
    ['a checkpoint of another size', forged('checkpoint-other-size')],
  ])('refuses %s', async (_, bundle) => {
    await expect(tried(block, bundle)).rejects.toThrow();
  });

  it('refuses the key of another log', async () => {
    await expect(tried(block, whole, { key: vectorOf('checkpoint-other-log').log_key })).rejects.toThrow();
  });
});

(isDsseThere ? describe : describe.skip)('what the page does with a bundle and a DSSE library', () => {
  it('verifies the envelope, and reads what it says', async () => {
    expect((await tried(dsse, whole)).stdout).toBe(
      'erasure 475974fa-6b42-4370-bb56-b5d845686bb5 completed 2026-02-20T10:00:00.000Z\n',
    );
  });

  it.each([
    ['another signature', otherSignature],
    ['another payload', otherPayload],
  ])('refuses %s', async (_, bundle) => {
    await expect(tried(dsse, bundle)).rejects.toThrow(/VerificationError/);
  });
});
