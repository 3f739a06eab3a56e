/** Renews the vectors of attestations: `node tools/run.mjs libs/client/src/testing/make-attestation-vectors.ts libs/client/vectors/attestations`. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attestationVerdictOf } from './attestation-vector';
import { attestationVectors } from './attestation-vectors';
import { makeAttestingWorld } from './attestation-world';

const [dir] = process.argv.slice(2);
if (dir === undefined) throw new Error('usage: make-attestation-vectors <folder>');

const vectors = await attestationVectors(await makeAttestingWorld());
mkdirSync(dir, { recursive: true });
for (const file of readdirSync(dir).filter((name) => name.endsWith('.json'))) rmSync(join(dir, file));
for (const vector of vectors) {
  const verdict = attestationVerdictOf(vector);
  const found = { valid: verdict.valid, ...(!verdict.valid && { failed: verdict.failed }) };
  if (JSON.stringify(found) !== JSON.stringify(vector.expected))
    throw new Error(
      `${vector.name}: expected ${JSON.stringify(vector.expected)}, the verifier says ${JSON.stringify(found)}`,
    );
  writeFileSync(join(dir, `${vector.name}.json`), `${JSON.stringify(vector, null, 2)}\n`);
}
console.log(`${String(vectors.length)} vectors`);
