/** Renews the vectors: `node tools/run.mjs libs/client/src/testing/make-vectors.ts libs/client/vectors`. Writes no private keys. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateForgeries } from './vectors-of-certificates';
import { goodVectors } from './vectors-good';
import { messageForgeries } from './vectors-of-messages';
import { revocationVectors } from './vectors-of-revocation';
import { makeWorld } from './vector-world';
import { verdictOf } from './vector';

const [dir] = process.argv.slice(2);
if (dir === undefined) throw new Error('usage: make-vectors <folder>');

const world = await makeWorld();
const vectors = [
  ...(await goodVectors(world)),
  ...(await messageForgeries(world)),
  ...(await certificateForgeries(world)),
  ...(await revocationVectors(world)),
];

mkdirSync(dir, { recursive: true });
for (const file of readdirSync(dir).filter((name) => name.endsWith('.json'))) rmSync(join(dir, file));
for (const vector of vectors) {
  const verdict = await verdictOf(vector);
  if (verdict.valid !== vector.expected.valid || (!verdict.valid && verdict.failed !== vector.expected.failed)) {
    throw new Error(
      `${vector.name}: expected ${JSON.stringify(vector.expected)}, the verifier says ${JSON.stringify(verdict.checks.at(-1))}`,
    );
  }
  writeFileSync(join(dir, `${vector.name}.json`), `${JSON.stringify(vector, null, 2)}\n`);
}
console.log(`${String(vectors.length)} vectors, ${String(new Set(vectors.map(({ name }) => name)).size)} names`);
