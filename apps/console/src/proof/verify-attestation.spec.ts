import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTESTATION_CHECKS } from './checks';
import { verifyAttestation } from './verify-attestation';

/** A published case (libs/client/vectors/attestations/README.md). */
interface Vector {
  readonly name: string;
  readonly file_base64: string;
  readonly trust_pem: string;
  readonly allowed_domains: readonly string[];
  readonly log_key?: string;
  readonly witness_keys?: readonly string[];
  readonly now: string;
  readonly expected: { readonly valid: boolean; readonly failed?: string };
}

const folder = join(__dirname, '../../../../libs/client/vectors/attestations');
const vectors = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Vector);

it('has vectors', () => {
  expect(vectors.length).toBeGreaterThan(30);
});

it.each(vectors.map((vector) => [vector.name, vector] as const))('judges %s as the client does', async (_, vector) => {
  const { isValid, checks, statement } = await verifyAttestation(Buffer.from(vector.file_base64, 'base64'), {
    allowedDomains: vector.allowed_domains,
    authorities: vector.trust_pem,
    logKey: vector.log_key,
    witnessKeys: vector.witness_keys,
    now: new Date(vector.now),
  });
  const failed = checks.find(({ passed }) => !passed)?.check;
  expect({ valid: isValid, ...(failed !== undefined && { failed }) }).toEqual(vector.expected);
  expect(statement !== undefined).toBe(isValid);
  const names = checks.map(({ check }) => check);
  expect(names).toEqual(ATTESTATION_CHECKS.filter((name) => names.includes(name)));
  if (vector.witness_keys === undefined) expect(names).not.toContain('witnesses');
});
