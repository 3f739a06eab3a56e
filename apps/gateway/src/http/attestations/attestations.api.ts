import { BUNDLE_MEDIA_TYPE, ENVELOPE_MEDIA_TYPE, type ProtocolVersion } from '@opendsr-service/contracts';
import { badRequest, invalid, notFound, schemaRef, type ApiPart, type DescribedOperation } from '@opendsr-service/edge';
import { requestsPath } from '../../versions/routes';
import { commonErrors, entityTagHeader, ifNoneMatch, notChanged, proofHeaders } from '../answers/answer-headers.api';
import { idParameter } from '../requests/requests.api';

const tags = ['Attestations'] as const;

const statementParameter: ApiPart = {
  name: 'statement',
  in: 'query',
  schema: { type: 'integer', enum: [1, 2] },
  description: 'Which statement. Default: the newest.',
  example: 1,
};

export function attestationOperations(version: ProtocolVersion): Readonly<Record<string, DescribedOperation>> {
  const path = `${requestsPath(version)}/{srid}/attestation`;
  const headers = { ...proofHeaders(version), ...entityTagHeader };
  const parameters = [idParameter(version), statementParameter, ifNoneMatch];
  const refused = badRequest([invalid('statement must be 1 or 2')]);
  return {
    [`GET ${path}`]: {
      operationId: 'readAttestation',
      tags,
      summary: 'Read the attestation of a request that has ended',
      description:
        'Not in the interface: an addition of this service. A statement about the end of the request, signed with the ' +
        'certificate of that moment, which is inside. It comes seconds after the end and never changes. Where keys were ' +
        'destroyed, a second statement follows when no copy of them opens any more.',
      parameters,
      responses: {
        200: {
          description: 'The attestation, a DSSE envelope.',
          headers,
          content: { [ENVELOPE_MEDIA_TYPE]: { schema: schemaRef('AttestationEnvelope') } },
        },
        304: notChanged,
      },
      errors: [refused, notFound('The request has no attestation yet.'), ...commonErrors],
    },
    [`GET ${path}/bundle`]: {
      operationId: 'readAttestationBundle',
      tags,
      summary: 'Read the attestation with the proof that it is in the public log',
      description:
        'Not in the interface: an addition of this service. Everything to verify the attestation offline, but the keys ' +
        'that the verifier trusts. It is there once a checkpoint covers the attestation, within seconds.',
      parameters,
      responses: {
        200: {
          description: 'The bundle. A later one may hold a newer checkpoint.',
          headers,
          content: { [BUNDLE_MEDIA_TYPE]: { schema: schemaRef('AttestationBundle') } },
        },
        304: notChanged,
      },
      errors: [refused, notFound('No checkpoint of the log covers the attestation yet.'), ...commonErrors],
    },
  };
}
