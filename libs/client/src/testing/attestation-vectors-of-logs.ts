import { attestationPayload, type BundleParts } from '@opendsr-service/contracts';
import { attestedCancellation, attestedSubjects } from '@opendsr-service/contracts/testing';
import { signatureBy, writeNote } from '@opendsr-service/transparency';
import { testSigner } from '@opendsr-service/transparency/testing';
import { flipped, signatureIn, withEnvelope, type AttestationCases } from './attestation-case';
import { bundle, LOG, WITNESS, type AttestingWorld } from './attestation-world';

/** Files that are none, and bundles whose checkpoint, witness or proof is wrong. */
export function logForgeries(parts: BundleParts): AttestationCases {
  const [first, ...rest] = parts.inclusion;
  if (!first) throw new Error('a log of many leaves has proofs');
  const text = parts.checkpoint.slice(0, parts.checkpoint.indexOf('\n\n') + 1);
  const forged = writeNote({ text, signatures: [signatureBy(testSigner(LOG.name, 2), text)] });
  const unwitnessed = writeNote({ text, signatures: [signatureBy(LOG, text)] });
  const envelope = Buffer.from(parts.envelope);
  const checkpoint = { failed: 'checkpoint' } as const;
  const inclusion = { failed: 'inclusion' } as const;
  return {
    'format-not-json': { description: 'A truncated file.', failed: 'format', file: bundle(parts).subarray(0, -1) },
    'format-no-signatures': { description: 'No envelope.', failed: 'format', file: Buffer.from('{"payload":""}') },
    'format-many-signatures': {
      description: 'Nine signatures, of which the last is good: more than a verifier tries.',
      failed: 'format',
      file: withEnvelope(envelope, { signatures: [...Array<object>(8).fill({ sig: 'AAAA' }), signatureIn(envelope)] }),
    },
    'checkpoint-other-size': {
      ...{ ...checkpoint, description: 'Another size stands in the checkpoint than was signed.' },
      file: bundle({ ...parts, checkpoint: parts.checkpoint.replace('\n20\n', '\n21\n') }),
    },
    'checkpoint-other-key': {
      ...{ ...checkpoint, description: 'Another key of the same name signed the checkpoint.' },
      file: bundle({ ...parts, checkpoint: forged }),
    },
    'checkpoint-other-log': {
      ...{ ...checkpoint, description: 'The key that the verifier has is that of another log.' },
      file: bundle(parts),
      logKey: testSigner('other.example/transparency').verifierKey,
    },
    'checkpoint-envelope-alone': {
      ...{ ...checkpoint, description: 'The verifier has the key of the log, but the envelope came alone.' },
      file: envelope,
      logKey: LOG.verifierKey,
    },
    'witnesses-missing': {
      description: 'The witness did not cosign the checkpoint.',
      failed: 'witnesses',
      file: bundle({ ...parts, checkpoint: unwitnessed }),
      witnessKeys: [WITNESS.verifierKey],
    },
    'inclusion-other-hash': {
      ...{ ...inclusion, description: 'One bit of a hash of the proof is changed.' },
      file: bundle({ ...parts, inclusion: [flipped(first), ...rest] }),
    },
    'inclusion-missing-hash': {
      ...{ ...inclusion, description: 'A hash of the proof is missing.' },
      file: bundle({ ...parts, inclusion: rest }),
    },
    'inclusion-other-index': {
      ...{ ...inclusion, description: 'The entry stands at another index.' },
      file: bundle({ ...parts, index: parts.index - 1 }),
    },
    'inclusion-other-entry': {
      ...{ ...inclusion, description: 'One digit of the time in the entry is changed.' },
      file: bundle({ ...parts, entry: Buffer.from(Buffer.from(parts.entry).toString().replace(':02.', ':03.')) }),
    },
  };
}

/** Bundles of a sound log that holds another entry. */
export async function entryForgeries(world: AttestingWorld, envelope: Buffer): Promise<AttestationCases> {
  const cancelled = await world.envelope({ payload: attestationPayload(attestedCancellation, attestedSubjects) });
  return {
    'entry-other-envelope': {
      description: 'The entry is in the log, but of another attestation.',
      failed: 'entry',
      file: bundle({ ...(await world.logged(cancelled)), envelope }),
    },
    'entry-other-kind': {
      description: 'The entry has the digest, but is of another kind.',
      failed: 'entry',
      file: bundle(await world.logged(envelope, { entry: { kind: 'receipt' } })),
    },
    'entry-no-time': {
      description: 'The entry has no time.',
      failed: 'entry',
      file: bundle(await world.logged(envelope, { entry: { at: 'soon' } })),
    },
  };
}
