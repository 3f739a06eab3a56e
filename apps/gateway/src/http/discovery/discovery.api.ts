import { DISCOVERY_IDENTITIES, REQUEST_TYPES, type ProtocolVersion } from '@opendsr-service/contracts';
import {
  jsonContent,
  notFound,
  schemaRef,
  tooManyRequests,
  type ApiPart,
  type DescribedOperation,
} from '@opendsr-service/edge';

const tags = ['Discovery'] as const;
const kept: ApiPart = {
  'Cache-Control': { required: true, schema: { type: 'string' }, description: 'How long the answer may be kept.' },
};

const immutableName = (certificateFile: string): string =>
  certificateFile.replace('.pem', '-9f2c41d7b06ae8533ad1c0f4e7721b98.pem');

/** The verifier key of the transparency log in documents that no service serves. */
export const EXAMPLE_LOG_KEY = 'dsr.example.com/transparency+<key id>+<key>';

/** See protocol, "Discovery record". */
export const discoveryOperations = ({
  apiVersion,
  certificateFile,
  root,
}: ProtocolVersion): Readonly<Record<string, DescribedOperation>> => ({
  [`GET /${root}/discovery`]: {
    operationId: 'discover',
    tags,
    summary: 'Discover what the service can do',
    description:
      'Protocol, "Discovery record". Needs no credentials and tolerates them. The service publishes a transparency log ' +
      `(C2SP tlog-tiles) at \`/transparency\`; the verifier key of its checkpoints is \`${EXAMPLE_LOG_KEY}\`.`,
    security: [],
    responses: {
      200: {
        description: 'What the service can do.',
        headers: kept,
        content: jsonContent(schemaRef('DiscoveryRecord'), {
          record: {
            api_version: apiVersion,
            supported_identities: DISCOVERY_IDENTITIES.map((identity_type) => ({
              identity_type,
              identity_format: 'raw',
            })),
            supported_subject_request_types: [...REQUEST_TYPES].sort(),
            processor_certificate: `https://dsr.example.com/${root}/certificates/${immutableName(certificateFile)}`,
          },
        }),
      },
    },
    errors: [tooManyRequests(30)],
  },
  [`GET /${root}/certificates/{file}`]: {
    operationId: 'readCertificate',
    tags,
    summary: 'Read the certificate that verifies signatures',
    description:
      'Protocol, "Callback authenticity". The leaf comes first, then its intermediates. Take the ' +
      'address from `processor_certificate` of discovery: it always answers the same bytes, also ' +
      `after the certificate was replaced. \`${certificateFile}\` answers the certificate in force. Needs no credentials.`,
    security: [],
    parameters: [
      {
        name: 'file',
        in: 'path',
        required: true,
        schema: { type: 'string' },
        description: 'The file that discovery names.',
        example: certificateFile,
      },
    ],
    responses: {
      200: {
        description: 'The chain in PEM.',
        headers: kept,
        content: { 'application/x-pem-file': { schema: { type: 'string' } } },
      },
    },
    errors: [notFound(), tooManyRequests(30)],
  },
});
