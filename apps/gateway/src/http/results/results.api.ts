import type { ProtocolVersion } from '@opendsr-service/contracts';
import {
  gone,
  notFound,
  tooManyRequests,
  unavailable,
  type ApiPart,
  type DescribedOperation,
} from '@opendsr-service/edge';

const header = (description: string, schema: ApiPart = { type: 'string' }): ApiPart => ({
  required: true,
  schema,
  description,
});

/** See protocol, "Results download". */
export const resultsOperations = ({ root }: ProtocolVersion): Readonly<Record<string, DescribedOperation>> => ({
  [`GET /${root}/results/{token}`]: {
    operationId: 'downloadResults',
    tags: ['Results'],
    summary: 'Download the results of an access or portability request',
    description:
      'Protocol, "Results download". The link is `results_url` of a status record or callback, valid ' +
      'for 7 days after completion. Needs no credentials and tolerates them: the token is what proves.',
    security: [],
    parameters: [
      {
        name: 'token',
        in: 'path',
        required: true,
        schema: { type: 'string' },
        description: 'The last part of `results_url`.',
      },
    ],
    responses: {
      200: {
        description: 'The archive: profiles, batches of events, and a manifest with the SHA-256 of each file.',
        headers: {
          'Content-Length': header('Its size in bytes.', { type: 'integer' }),
          'Content-Disposition': header('A name for the file.'),
          'Cache-Control': header('It may not be kept.'),
          'Referrer-Policy': header('The link stays secret.'),
          'X-Content-Type-Options': header('It is what it says.'),
          'X-Robots-Tag': header('It is not for search engines.'),
        },
        content: { 'application/zip': { schema: { type: 'string', contentMediaType: 'application/zip' } } },
      },
    },
    errors: [
      notFound('There are no results under this link.'),
      gone('The results are no longer available.'),
      tooManyRequests(30),
      unavailable(1),
    ],
  },
});
