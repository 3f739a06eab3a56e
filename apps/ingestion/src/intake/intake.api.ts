import {
  badRequest,
  errorOfStatus,
  forbidden,
  invalid,
  jsonContent,
  notFound,
  schemaRef,
  tooManyRequests,
  unauthorized,
  unavailable,
  type ApiPart,
  type DescribedOperation,
} from '@opendsr-service/edge';
import { noIdentityAt } from './check-body';
import { erased } from './refusals';

const NOW_MS = 1_763_715_600_000;
const MPID = '-4822148317425189346';
const named = { user_identities: { customer_id: 'ann', email: 'ann@example.com' } };
const interfaceCall = {
  ...named,
  user_attributes: { colour: 'green' },
  ip: '192.0.2.7',
  timestamp_unixtime_ms: NOW_MS,
  environment: 'production',
};
const sdkCall = {
  known_identities: { customerid: 'ann' },
  client_sdk: { platform: 'web' },
  context: 'a-context',
  environment: 'development',
  request_timestamp_ms: NOW_MS,
};
const batch = {
  ...named,
  events: [{ event_type: 'custom_event', data: { event_name: 'visit', custom_attributes: { page: 'home' } } }],
  timestamp_unixtime_ms: NOW_MS,
  environment: 'production',
};
const profileBatch = {
  mpid: MPID,
  user_identities: { customer_id: 'ann' },
  events: [{ event_type: 'screen_view', data: { screen_name: 'home' } }],
  source_request_id: 'batch-1',
};

const signed = [{ basic: [] }, { key: [], signature: [], date: [] }];
/** The operator may allow calls by the key alone. */
const signedOrKey = [...signed, { key: [] }];
const always = [
  unauthorized(),
  forbidden(),
  errorOfStatus(413),
  errorOfStatus(415),
  tooManyRequests(30),
  unavailable(1),
];
const identityErrors = [
  badRequest([invalid('user_identities.email must be a string of at most 4096 Unicode characters.')]),
  badRequest([invalid(noIdentityAt(''))]),
  erased(),
  ...always,
];

const body = (schema: ApiPart, examples: Readonly<Record<string, unknown>>): ApiPart => ({
  required: true,
  content: jsonContent(schema, examples),
});
const answer = {
  context: null,
  mpid: MPID,
  matched_identities: named.user_identities,
  is_ephemeral: false,
  is_logged_in: true,
};

const identityOperation = (operationId: string, summary: string, description: string): DescribedOperation => ({
  operationId,
  tags: ['Identities'],
  summary,
  description,
  security: signedOrKey,
  requestBody: body(schemaRef('IdentityCall'), { interfaceDialect: interfaceCall, sdkDialect: sdkCall }),
  responses: {
    200: { description: 'The profile.', content: jsonContent(schemaRef('IdentityAnswer'), { known: answer }) },
  },
  errors: identityErrors,
});

export const intakeOperations: Readonly<Record<string, DescribedOperation>> = {
  'POST /v1/identify': identityOperation(
    'identify',
    'Identify a data subject',
    'Protocol, "Identify endpoint". The highest-ranking known identity decides the profile; identities ' +
      'without owner are added to it. By the key alone the profile holds only the identity that decides.',
  ),
  'POST /v1/login': identityOperation(
    'login',
    'Log a data subject in',
    'An identify whose identities the data subject has just proved.',
  ),
  'POST /v1/logout': identityOperation(
    'logout',
    'Log a data subject out',
    'Devices alone identify an anonymous data subject, never the one who logged out.',
  ),
  'POST /v1/search': {
    ...identityOperation(
      'search',
      'Find a profile',
      'Like identify, but writes nothing. The key alone is not accepted.',
    ),
    security: signed,
    errors: [
      notFound('No profile has these identities.'),
      ...identityErrors.filter(({ faults }) => faults[0]?.reason !== 'ErasedException'),
    ],
  },
  'POST /v1/{mpid}/modify': {
    operationId: 'modify',
    tags: ['Identities'],
    summary: 'Change the identities of a profile',
    description:
      'All changes are made, or none. By the key alone nothing is stored: the next call names its identities again.',
    security: signedOrKey,
    parameters: [
      {
        name: 'mpid',
        in: 'path',
        required: true,
        schema: { type: 'string', pattern: '^-?\\d+$' },
        description: 'The `mpid` of the profile, from the answer of an identity call.',
      },
    ],
    requestBody: body(schemaRef('Modify'), {
      replace: {
        environment: 'production',
        identity_changes: [{ identity_type: 'email', old_value: 'ann@example.com', new_value: 'ann@example.org' }],
      },
    }),
    responses: {
      200: {
        description: 'The changes.',
        content: jsonContent(schemaRef('ChangeResults'), {
          replaced: { change_results: [{ identity_type: 'email', modified_mpid: MPID }] },
        }),
      },
    },
    errors: [
      badRequest([invalid('identity_changes[0].identity_type is unknown.')]),
      notFound('No profile has this mpid.'),
      erased(),
      ...always,
    ],
  },
  'POST /v2/events': {
    operationId: 'sendEvents',
    tags: ['Events'],
    summary: 'Send events of one data subject',
    description: 'Protocol, "Events endpoint". 202 after the event log acknowledged them. At most 128 KiB by default.',
    security: signedOrKey,
    requestBody: body(schemaRef('Batch'), { ofIdentities: batch, ofProfile: profileBatch }),
    responses: { 202: { description: 'Accepted. The body is empty.' } },
    errors: [badRequest([invalid('events must be an array')]), erased(), ...always],
  },
  'POST /v2/bulkevents': {
    operationId: 'sendBulkEvents',
    tags: ['Events'],
    summary: 'Send events of several data subjects',
    description:
      'At most 100 batches of 128 KiB each and 256 KiB together, by default. Valid batches are taken ' +
      'even if others are not. A 400 names the others, and says how many batches were taken.',
    security: signedOrKey,
    requestBody: body({ type: 'array', minItems: 1, items: schemaRef('Batch') }, { two: [batch, profileBatch] }),
    responses: { 202: { description: 'All were accepted. The body is empty.' } },
    errors: [
      badRequest([
        invalid('[1].events must be an array'),
        invalid('The other batch was taken. Send again only what is named here.'),
      ]),
      ...always,
    ],
  },
};
