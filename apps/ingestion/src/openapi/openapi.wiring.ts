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
    summary: 'Ingest identities, attributes and events of data subjects, for later requests.',
    description: [
      'Calls authenticate in one of three ways: HTTP Basic; a signature (`x-mp-key`, `Date` and ' +
        '`x-mp-signature` together); or the header `x-mp-key` alone, if the operator allows it. Then the ' +
        'identities of the call are unverified, and its answer reveals no other data.',
      'A signature admits one call. A retry needs a new signature, unless the answer was 429 or 5xx.',
      'A missing header is answered with 401, a wrong one with 403. A trailing slash is ignored.',
      'Titles in quotation marks, such as "Events", are sections of the interface specification.',
    ].join('\n\n'),
  },
  tags: [
    { name: 'Identities', description: 'Profiles and their identities.' },
    { name: 'Events', description: 'Events of data subjects.' },
  ],
  errorStyle: 'ingest',
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic', description: 'Key and secret of a workspace.' },
    key: header(
      'x-mp-key',
      'The key of a workspace. If the operator allows it, the key alone admits all calls but search, as unverified.',
    ),
    signature: header(
      'x-mp-signature',
      'Lower-case hexadecimal HMAC-SHA256, under the secret, of `METHOD\\nDATE\\nPATH` followed by the body.',
    ),
    date: header(
      'Date',
      'The signed date: an HTTP date, or an ISO 8601 date with a zone, at most 15 minutes off by default.',
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
