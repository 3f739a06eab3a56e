import { STATEMENT_MEDIA_TYPE } from '@opendsr-service/contracts';

// Answers about attestations: an addition to the interface.

const base64 = (description: string) => ({ type: 'string', contentEncoding: 'base64', description }) as const;

export const ATTESTATION_ENVELOPE = {
  type: 'object',
  description: 'A DSSE envelope of an in-toto statement, whose predicate docs/api/attestation-v1.json describes.',
  required: ['payloadType', 'payload', 'signatures'],
  properties: {
    payloadType: { const: STATEMENT_MEDIA_TYPE },
    payload: base64('The statement.'),
    signatures: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['keyid', 'sig', 'cert'],
        properties: {
          keyid: { type: 'string', description: 'SHA-256 of the certificate, hex.' },
          sig: base64('RSASSA-PKCS1-v1_5 with SHA-256 over the pre-authentication encoding of DSSE.'),
          cert: { type: 'string', description: 'The certificate with its chain, PEM, the certificate first.' },
        },
      },
    },
  },
} as const;

export const ATTESTATION_BUNDLE = {
  type: 'object',
  description: 'An attestation with the proof that it is in the public log.',
  required: ['schema', 'envelope', 'leaf', 'inclusion', 'checkpoint'],
  properties: {
    schema: { const: 1 },
    envelope: base64('The bytes of the envelope.'),
    leaf: {
      type: 'object',
      required: ['index', 'entry'],
      properties: {
        index: { type: 'integer', minimum: 0, description: 'The place in the log.' },
        entry: base64('The bytes of the entry of the log.'),
      },
    },
    inclusion: {
      type: 'array',
      items: base64('A hash.'),
      description: 'The hashes that lead from the leaf to the root, in the order of RFC 6962.',
    },
    checkpoint: { type: 'string', description: 'The checkpoint with all its signatures, a signed note.' },
  },
} as const;
