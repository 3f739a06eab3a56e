import { constants } from 'node:crypto';
import { STATEMENT_MEDIA_TYPE } from '@opendsr-service/contracts';
import { attestedErasure } from '@opendsr-service/contracts/testing';
import { preAuthEncoding } from '@opendsr-service/signing';
import { flipped, signatureIn, withEnvelope, withStatement, type AttestationCases } from './attestation-case';
import { bundle, PAYLOAD, type AttestingWorld } from './attestation-world';
import { makeParty, signatureOf } from './authorities';

/** Correctly signed, with a certificate that does not count. */
export async function certificateForgeries(world: AttestingWorld): Promise<AttestationCases> {
  const { issue, leaf, between, spareKeys: keys } = world;
  const stranger = await makeParty({ name: 'Example Root', keys, isAuthority: true });
  const expired = await issue({ from: new Date('2024-01-01T00:00:00Z'), until: new Date('2026-01-01T00:00:01Z') });
  const envelopeOf = (party: typeof leaf) => world.envelope({ leaf: party });
  const logged = async (party: typeof leaf) => bundle(await world.logged(await envelopeOf(party)));
  const untrusted = await issue({ issuer: stranger });
  return {
    'certificate-none': {
      description: 'The envelope holds no certificate.',
      failed: 'certificate',
      file: await world.envelope({ chain: [] }),
    },
    'chain-untrusted': {
      description: 'An authority that is not trusted, of the same name, issued the certificate.',
      failed: 'chain',
      file: await world.envelope({ leaf: untrusted, chain: [untrusted, stranger] }),
    },
    'chain-no-intermediate': {
      description: 'The certificate between leaf and trusted authority is missing.',
      failed: 'chain',
      file: await world.envelope({ chain: [leaf] }),
    },
    'names-other': {
      description: 'The certificate is of another domain.',
      failed: 'names',
      file: await logged(await issue({ name: 'opendsr.other.example' })),
    },
    'dates-expired-before-log': {
      description:
        'The certificate expired a second before the log took the entry, and is still looked at before that.',
      failed: 'dates',
      file: await logged(expired),
      now: new Date('2025-12-31T00:00:00Z'),
    },
    'dates-expired-envelope': {
      description: 'An envelope alone, after its certificate expired: nothing dates it.',
      failed: 'dates',
      file: await envelopeOf(expired),
      now: new Date('2026-01-01T00:00:02Z'),
    },
    'usage-no-digital-signature': {
      description: 'The certificate is not for signatures.',
      failed: 'usage',
      file: await world.envelope({ leaf: await issue({ usage: 32 }), chain: [await issue({ usage: 32 }), between] }),
    },
  };
}

export async function signatureForgeries(world: AttestingWorld, envelope: Buffer): Promise<AttestationCases> {
  const own = signatureIn(envelope);
  const signedBy = (sig: string) => withEnvelope(envelope, { signatures: [{ ...own, sig }] });
  const encoded = preAuthEncoding(STATEMENT_MEDIA_TYPE, PAYLOAD);
  const signature = { failed: 'signature' } as const;
  const pss = await signatureOf(encoded, world.leaf, { padding: constants.RSA_PKCS1_PSS_PADDING });
  return {
    'signature-other-payload': {
      ...{ ...signature, description: 'One digit of the payload is changed.' },
      file: withEnvelope(envelope, {
        payload: Buffer.from(PAYLOAD.toString().replace('"keys":3', '"keys":4')).toString('base64'),
      }),
    },
    'signature-altered-byte': {
      ...{ ...signature, description: 'One bit of the signature is changed.' },
      file: signedBy(flipped(Buffer.from(own.sig, 'base64'), 100).toString('base64')),
    },
    'signature-without-type': {
      ...{ ...signature, description: 'Over the payload alone, without its type (no PAE).' },
      file: signedBy(await signatureOf(PAYLOAD, world.leaf)),
    },
    'signature-other-key': {
      ...{ ...signature, description: 'With another key than that of the certificate.' },
      file: signedBy(await signatureOf(encoded, { keys: world.spareKeys })),
    },
    'signature-pss': { ...{ ...signature, description: 'With PSS padding.' }, file: signedBy(pss) },
    'signature-sha512': {
      ...{ ...signature, description: 'Over SHA-512.' },
      file: signedBy(await signatureOf(encoded, world.leaf, { hash: 'sha512' })),
    },
  };
}

/** Correctly signed, but something else. */
export async function statementForgeries(world: AttestingWorld): Promise<AttestationCases> {
  const signed = (change: object) => world.envelope({ payload: withStatement(change) });
  return {
    'payload-type-other': {
      description: 'Correctly signed, but as another type of payload.',
      failed: 'payload-type',
      file: await world.envelope({ payloadType: 'application/json' }),
    },
    'statement-type-other': {
      description: 'Correctly signed, but a statement of another version.',
      failed: 'statement-type',
      file: await signed({ _type: 'https://in-toto.io/Statement/v0.1' }),
    },
    'predicate-type-other': {
      description: 'Correctly signed, but not about a request.',
      failed: 'predicate-type',
      file: await signed({ predicateType: 'https://slsa.dev/provenance/v1' }),
    },
    'schema-no-outcome': {
      description: 'Correctly signed, but it does not say how the request ended.',
      failed: 'schema',
      file: await signed({ predicate: { ...attestedErasure, outcome: undefined } }),
    },
    'schema-no-events': {
      description: 'Correctly signed, but not about the events of a request.',
      failed: 'schema',
      file: await signed({ subject: [] }),
    },
  };
}
