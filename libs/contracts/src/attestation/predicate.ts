import type { JSONSchema } from 'json-schema-to-ts';
import { PARTICIPANT_STATUSES } from '../messages/participant-report';
import { digest, requestType, text, time, uuid, type Shape } from '../messages/schema';
import { API_VERSIONS, REGULATIONS } from '../vocabulary';

/** The type of the predicate, which is the address of its JSON Schema (docs/api/attestation-v1.json). */
export const ATTESTATION_TYPE =
  'https://github.com/opendsr/opendsr-service/blob/main/docs/api/attestation-v1.json' as const;

const described = <S extends object>(schema: S, description: string) => ({ ...schema, description }) as const;
const count = { type: 'integer', minimum: 0 } as const;

const extension = {
  type: 'object',
  description: 'The extension of the legal date, if there was one. Its reason is sealed, and not in here.',
  properties: {
    extendedUntil: described(time, 'The legal date after the extension.'),
    decidedAt: described(time, 'When it was extended.'),
  },
  required: ['extendedUntil', 'decidedAt'],
} as const satisfies JSONSchema;

const participant = {
  type: 'object',
  properties: {
    name: described(text, 'The name of the participant.'),
    domain: described(text, 'The domain of an outside participant.'),
    status: { type: 'string', enum: PARTICIPANT_STATUSES, description: 'The last status that it reported.' },
    reportedAt: described(time, 'When it reported that.'),
    waivedBy: described(text, 'Who waived its share, by role or account, where it did not report itself.'),
  },
  required: ['name', 'status', 'reportedAt'],
} as const satisfies JSONSchema;

const destroyed = {
  type: 'object',
  description:
    'What the participants of an erasure destroyed before they reported, as far as it is counted. Keys of requests are not ' +
    'in it: that of the erasure itself and those of earlier requests of the person are destroyed later ' +
    '(docs/erasure.md, "Which keys an attestation counts"), and no statement names them.',
  properties: {
    profiles: described(count, 'Profiles.'),
    batches: described(count, 'Batches of events.'),
    archives: described(count, 'Archives of results.'),
    keys: described(
      count,
      'Data keys of these profiles and archives. A destroyed key makes every copy of what it sealed unreadable.',
    ),
    tombstones: {
      type: 'array',
      items: uuid,
      description:
        'Ids of the tombstones of these keys, published before each was destroyed; those beyond the first thousand of a ' +
        'participant are not named.',
    },
    unnamedTombstones: described(
      count,
      'How many of these keys have a tombstone that is not named above; 0: the list is whole. Absent: not known.',
    ),
  },
} as const satisfies JSONSchema;

const erasure = {
  type: 'object',
  description: 'Which stages of an erasure had been reached (docs/erasure.md, "What is erased when").',
  properties: {
    secondPass: { type: 'boolean', description: 'Whether everything was deleted a second time.' },
    generation: described(count, 'The newest generation that wrapped a counted key. Absent: there are no generations.'),
    generationDestroyedAt: described(
      time,
      'When the service found that the last generation that could open a copy of a counted key is destroyed. Copies of before generations were switched on are not counted. Absent: not yet.',
    ),
    backups: described(text, 'What the service knows of backups of wrapped keys; `not-known`: nothing.'),
  },
  required: ['secondPass'],
} as const satisfies JSONSchema;

/** What an attestation says of a request that has ended (docs/evidence.md, "Attestations"). It holds no personal data. */
export const ATTESTATION_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: ATTESTATION_TYPE,
  title: 'Attestation of a request of a data subject',
  description: 'The predicate of an in-toto Statement v1. Readers ignore fields that they do not know.',
  type: 'object',
  properties: {
    statement: {
      type: 'integer',
      enum: [1, 2],
      description: '1: the request has ended. 2: the generation of the counted keys is gone as well.',
    },
    previous: described(digest, 'SHA-256 of the first envelope, base64url, in the second statement.'),
    workspace: described(text, 'The workspace.'),
    controllerId: described(text, 'The id of the controller.'),
    requestId: described(uuid, 'The `subject_request_id`.'),
    requestType: described(requestType, 'What the data subject asked for.'),
    regulation: { type: 'string', enum: REGULATIONS, description: 'The regulation; absent: none was named.' },
    interfaceVersion: { type: 'string', enum: API_VERSIONS, description: 'The version that received the request.' },
    receivedAt: described(time, 'When the request was received.'),
    startedAt: described(time, 'When the work began; absent: it never did.'),
    endedAt: described(time, 'When it was completed or cancelled.'),
    outcome: { type: 'string', enum: ['completed', 'cancelled'], description: 'How it ended.' },
    legalDueAt: described(time, 'By when the law wanted an answer, before an extension.'),
    legalDateKept: { type: 'boolean', description: 'Whether it ended by then, or by the date of the extension.' },
    extension,
    participants: { type: 'array', items: participant, description: 'Who took part, and what each reported.' },
    destroyed,
    erasure,
  },
  required: [
    'statement',
    'workspace',
    'controllerId',
    'requestId',
    'requestType',
    'interfaceVersion',
    'receivedAt',
    'endedAt',
    'outcome',
    'participants',
  ],
} as const satisfies JSONSchema;

export type Attestation = Shape<typeof ATTESTATION_SCHEMA>;
