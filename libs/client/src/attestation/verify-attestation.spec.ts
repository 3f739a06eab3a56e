import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attestation as Attested, BundleParts } from '@opendsr-service/contracts';
import { attestedErasure, attestedSubjects } from '@opendsr-service/contracts/testing';
import { MAX_SIGNATURES } from '@opendsr-service/signing';
import { flipped, signatureIn, withEnvelope } from '../testing/attestation-case';
import { attestationVerdictOf, type AttestationVector } from '../testing/attestation-vector';
import {
  bundle,
  LOG,
  LOGGED_AT,
  makeAttestingWorld,
  PAYLOAD,
  WITNESS,
  type AttestingWorld,
} from '../testing/attestation-world';
import { TODAY } from '../testing/authorities';
import { DOMAIN } from '../testing/vector-world';
import type { Attestation } from './attestation';
import { attestationContent } from './attestation-content';
import { ATTESTATION_CHECK_NAMES, type AttestationOptions } from './types';
import { verifyAttestation } from './verify-attestation';

const dir = join(__dirname, '../../vectors/attestations');
const files = readdirSync(dir).filter((name) => name.endsWith('.json'));
/** All but the one that compares a file with the request that is meant. */
const OF_FILES = ATTESTATION_CHECK_NAMES.filter((name) => name !== 'request');
/** Prime, so that no field is passed over by its length. */
const BETWEEN_BYTES = process.env.DSR_UNIT === 'full' ? 13 : 149;
const vectors = files.map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as AttestationVector);

describe('the published vectors of attestations', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const verdict = attestationVerdictOf(vector);
    expect({ valid: verdict.valid, ...(!verdict.valid && { failed: verdict.failed }) }).toEqual(vector.expected);
    const names = verdict.checks.map(({ check }) => check);
    expect(names).toEqual(ATTESTATION_CHECK_NAMES.filter((name) => names.includes(name)));
    expect(verdict.checks.filter(({ passed }) => !passed).map(({ check }) => check)).toEqual(
      verdict.valid ? [] : [verdict.failed],
    );
  });

  it('have the names of their files, fail every check at least once, and contain no private key', () => {
    expect(vectors.map(({ name }) => `${name}.json`)).toEqual(files);
    expect(new Set(vectors.flatMap(({ expected }) => expected.failed ?? []))).toEqual(new Set(OF_FILES));
    expect(JSON.stringify(vectors)).not.toContain('PRIVATE');
  });
});

describe('the verification of an attestation', () => {
  let world: AttestingWorld;
  let envelope: Buffer;
  let parts: BundleParts;
  let alone: AttestationOptions;
  let options: AttestationOptions;
  beforeAll(async () => {
    world = await makeAttestingWorld();
    envelope = await world.envelope();
    parts = await world.logged(envelope);
    alone = { allowedDomains: [DOMAIN], trust: world.root.pem, now: () => TODAY };
    options = { ...alone, logKey: LOG.verifierKey };
  });
  const failures = (files: readonly Buffer[], given: AttestationOptions) =>
    new Set(
      files.map((file) => {
        const verdict = verifyAttestation(file, given);
        return verdict.valid ? 'none' : verdict.failed;
      }),
    );
  const everyByte = (bytes: Uint8Array) => Array.from(bytes, (_, at) => flipped(bytes, at));
  /** An RSA signature and a chain are checked for each, which takes long. */
  const manyBytes = (bytes: Uint8Array) => everyByte(bytes).filter((_, at) => at % BETWEEN_BYTES === 0);

  it('answers what was attested, by whom, and when the log took it', () => {
    const verdict = verifyAttestation(bundle(parts), { ...options, witnessKeys: [WITNESS.verifierKey] });
    expect(verdict).toMatchObject({
      valid: true,
      domain: DOMAIN,
      attestation: attestedErasure,
      subjects: attestedSubjects,
      signedBy: `CN=${DOMAIN}`,
      logged: { index: parts.index, at: LOGGED_AT },
    });
    expect(verdict.checks.map(({ check }) => check)).toEqual(OF_FILES);
  });

  it('refuses an attestation of another request, where one is named', () => {
    const of = (requestId: string) => verifyAttestation(bundle(parts), { ...options, requestId });
    const [own, other] = [attestedErasure.requestId, 'b2d19cf2-7a34-4d3a-9a52-6c8a29d3b1c1'];
    expect([of(own), of(own.toUpperCase()), of(other)]).toMatchObject([
      { valid: true },
      { valid: true },
      { valid: false, failed: 'request' },
    ]);
    expect(of(own).checks.at(-1)).toMatchObject({ check: 'request', passed: true });
    expect(JSON.stringify(of(other))).not.toContain(own);
  });

  it('names the signer that it believes, also behind signatures of others', async () => {
    const other = await world.issue({ name: 'planted.example', keys: world.spareKeys });
    const own = signatureIn(envelope);
    const both = withEnvelope(envelope, { signatures: [{ ...own, cert: other.pem }, own] });
    expect(verifyAttestation(both, alone)).toMatchObject({ valid: true, domain: DOMAIN, signedBy: `CN=${DOMAIN}` });
  });

  it('stops at the first signature that it believes', () => {
    const own = signatureIn(envelope);
    const many = withEnvelope(envelope, { signatures: Array(MAX_SIGNATURES).fill(own) });
    const verify = jest.spyOn(X509Certificate.prototype, 'verify');
    const callsOf = (file: Buffer) => {
      verify.mockClear();
      expect(verifyAttestation(file, { ...alone, allowedDomains: [DOMAIN, 'other.example'] }).valid).toBe(true);
      return verify.mock.calls.length;
    };
    expect(callsOf(many)).toBe(callsOf(envelope));
    verify.mockRestore();
  });

  it('says nothing of the log where the log was not checked', () => {
    const verdict = verifyAttestation(bundle(parts), alone);
    expect(verdict).toMatchObject({ valid: true, attestation: attestedErasure });
    expect(verdict).not.toHaveProperty('logged');
  });

  it('refuses a changed byte of payload and signature, wherever it stands', () => {
    const { sig, ...own } = signatureIn(envelope);
    const payloads = manyBytes(PAYLOAD).map((payload) =>
      withEnvelope(envelope, { payload: payload.toString('base64') }),
    );
    expect(failures(payloads, alone)).toEqual(new Set(['signature']));
    const signatures = manyBytes(Buffer.from(sig, 'base64')).map((bytes) =>
      withEnvelope(envelope, { signatures: [{ ...own, sig: bytes.toString('base64') }] }),
    );
    expect(failures(signatures, alone)).toEqual(new Set(['signature']));
    expect(failures([withEnvelope(envelope, {})], alone)).toEqual(new Set(['none']));
  });

  it('refuses any changed byte of the entry, of each hash of the proof, and of the checkpoint', () => {
    const entries = everyByte(parts.entry).map((entry) => bundle({ ...parts, entry }));
    expect(failures(entries, options)).toEqual(new Set(['inclusion']));
    const proofs = parts.inclusion.flatMap((hash, place) =>
      everyByte(hash).map((other) =>
        bundle({ ...parts, inclusion: parts.inclusion.map((one, n) => (n === place ? other : one)) }),
      ),
    );
    expect(failures(proofs, options)).toEqual(new Set(['inclusion']));
    const ownLines = Buffer.from(parts.checkpoint.slice(0, parts.checkpoint.lastIndexOf('\u2014')));
    const rest = parts.checkpoint.slice(parts.checkpoint.lastIndexOf('\u2014'));
    const checkpoints = everyByte(ownLines).map((text) => bundle({ ...parts, checkpoint: text.toString() + rest }));
    expect(failures(checkpoints, options)).toEqual(new Set(['checkpoint']));
  });

  it('refuses a changed byte of the envelope in a bundle, as its digest is another', () => {
    const changed = manyBytes(envelope).map((other) => bundle({ ...parts, envelope: other }));
    const found = failures(changed, options);
    expect(found.has('entry')).toBe(true);
    expect([...found].filter((name) => !['entry', 'format', 'payload-type'].includes(name))).toEqual([]);
  });

  it('shows nothing of a file in what it says of it', () => {
    const details = vectors.map((vector) => JSON.stringify(attestationVerdictOf(vector).checks)).join();
    expect(details).not.toMatch(/475974fa|acme|opendsr\.other|slsa|witness\.example/);
  });

  it('refuses options that would check less than they seem to', () => {
    for (const wrong of [
      { ...options, allowedDomains: [] },
      { ...options, logKey: 'planted' },
      { ...options, trust: 'none' },
      { ...alone, witnessKeys: [WITNESS.verifierKey] },
      { ...options, witnessKeys: ['planted'] },
      { ...options, witnessKeys: [LOG.verifierKey] },
    ])
      expect(() => verifyAttestation(envelope, wrong)).toThrow(TypeError);
  });

  it('reads what a file says without verifying it, and nothing of other files', () => {
    expect(attestationContent(bundle(parts))).toMatchObject({
      attestation: attestedErasure,
      logged: { at: LOGGED_AT },
    });
    expect(attestationContent(envelope)).not.toHaveProperty('logged');
    expect(attestationContent(withEnvelope(envelope, { payloadType: 'text/plain' }))).toBeUndefined();
    expect(attestationContent(withEnvelope(envelope, { payload: '' }))).toBeUndefined();
    expect(attestationContent(Buffer.from('{}'))).toBeUndefined();
  });
});

it('publishes an attestation with the shape of the contracts', () => {
  const asPublished = (attested: Attested): Attestation => attested;
  const asAttested = (published: Attestation): Attested => published;
  expect([asPublished, asAttested]).toBeDefined();
});
