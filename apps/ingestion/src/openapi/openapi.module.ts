import { INGEST_ERROR_BODY, type ApiDescription } from '@opendsr-service/edge';
import { CHANGE_RESULTS, IDENTITY_ANSWER } from '../intake/answer-schemas';
import { EventsController } from '../intake/events.controller';
import { IdentityController } from '../intake/identity.controller';
import { intakeBodies, NAMED_IDENTITIES } from '../intake/intake-bodies.api';
import { intakeOperations } from '../intake/intake.api';
import { ModifyController } from '../intake/modify.controller';

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

export const ingestionApi: ApiDescription = {
  name: 'ingestion',
  info: {
    title: 'Identities and events',
    version: '1.0',
    summary: 'Take in who people are and what they do, for the requests that will be about them.',
    description: [
      'Calls prove themselves in one of three ways: HTTP Basic; a signature (`x-mp-key`, `Date` and ' +
        '`x-mp-signature` together); or the header `x-mp-key` alone, where the operator switches that on: ' +
        'then what the call asserts is unverified, and it is told of nobody else.',
      'A signature lets one call in. Who tries again signs again, unless the answer was 429 or 5xx.',
      'A missing header is answered with 401, a wrong one with 403. A trailing slash makes no difference.',
      'Titles in quotation marks, such as "Events", are sections of the interface specification.',
    ].join('\n\n'),
  },
  tags: [
    { name: 'Identities', description: 'Whose profile is meant.' },
    { name: 'Events', description: 'What a person did.' },
  ],
  errorStyle: 'ingest',
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic', description: 'Key and secret of a workspace.' },
    key: header(
      'x-mp-key',
      'The key of a workspace. Alone it opens all but the search, for unverified identities, where the operator switches that on.',
    ),
    signature: header(
      'x-mp-signature',
      'Lower-case hexadecimal HMAC-SHA256, under the secret, of `METHOD\\nDATE\\nPATH` followed by the body.',
    ),
    date: header(
      'Date',
      'The date that is signed: an HTTP date, or an ISO 8601 one with its zone, at most 15 minutes off by default.',
    ),
  },
  controllers: [IdentityController, ModifyController, EventsController],
  operations: intakeOperations,
  schemas: {
    NamedIdentities: NAMED_IDENTITIES,
    IdentityAnswer: IDENTITY_ANSWER,
    ChangeResults: CHANGE_RESULTS,
    Error: INGEST_ERROR_BODY,
  },
  bodies: intakeBodies,
};
