import type { ProtocolVersion } from '@opendsr-service/contracts';
import { tooManyRequests, unauthorized, unavailable, type ApiPart } from '@opendsr-service/edge';

/** The errors of every route that needs credentials. */
export const commonErrors = [unauthorized(), tooManyRequests(30), unavailable(1)];

export const proofHeaders = ({ domainHeader, signatureHeader }: ProtocolVersion): ApiPart => ({
  [domainHeader]: {
    required: true,
    schema: { type: 'string' },
    description: 'The processor domain of this version. It names the certificate that verifies the signature.',
  },
  [signatureHeader]: {
    required: true,
    schema: { type: 'string', contentEncoding: 'base64' },
    description: 'The RSASSA-PKCS1-v1_5 signature with SHA-256 of the exact bytes of the body, in Base64.',
  },
});

export const entityTagHeader: ApiPart = {
  ETag: {
    required: true,
    schema: { type: 'string' },
    description: 'The strong entity tag of the bytes of the record.',
  },
};

export const ifNoneMatch: ApiPart = {
  name: 'If-None-Match',
  in: 'header',
  schema: { type: 'string' },
  description: 'Entity tags of records that the caller has, or `*` (RFC 9110, 13.1.2).',
  example: '"ZcO1Zv7xX8qkQHJ3mXb9Yw4nT0rE2sLd6uFgIiPoAqM"',
};

export const notChanged: ApiPart = {
  description:
    'The answer would be one that the caller has. It has no body, so it is not signed; the signature of what the caller has stays valid.',
  headers: entityTagHeader,
};
