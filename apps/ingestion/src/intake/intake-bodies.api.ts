import { IDENTITY_TYPES } from '@opendsr-service/contracts';
import { describeBody, schemaRef, type ApiPart, type DescribedBody } from '@opendsr-service/edge';
import { EventDto, EventsDto } from './events.dto';
import { IdentityDto } from './identity.dto';
import { IdentityChangeDto, ModifyDto } from './modify.dto';

const spellings = Object.values(IDENTITY_TYPES).flatMap(({ ingestNames }) => ingestNames);

export const NAMED_IDENTITIES: ApiPart = {
  type: ['object', 'null'],
  description: 'Identities by name. Values that are null or blank, and names that are not listed, name nobody.',
  properties: Object.fromEntries(spellings.map((name) => [name, { type: ['string', 'null'], maxLength: 4_096 }])),
  additionalProperties: true,
};

const identities = (dialect: string) => ({ ...schemaRef('NamedIdentities'), description: `Who is meant, ${dialect}.` });

/** At least one of the fields has a value. */
const oneOf = (schemas: Readonly<Record<string, ApiPart>>): ApiPart => ({
  anyOf: Object.entries(schemas).map(([field, schema]) => ({ required: [field], properties: { [field]: schema } })),
});
const somebody = { type: 'object', minProperties: 1 };

const common = {
  user_identities: identities('as the interface names it'),
  known_identities: identities('as SDKs name it'),
  ip: { description: 'Address of the device.' },
  timestamp_unixtime_ms: { format: 'int64', description: 'Unix time in milliseconds, at most 24 hours ahead.' },
};

export const intakeBodies: Readonly<Record<string, DescribedBody>> = {
  IdentityCall: describeBody<IdentityDto>({
    type: IdentityDto,
    description:
      'Who somebody is (protocol, "Identify endpoint"), in either dialect. Other fields are accepted. ' +
      'At least one known identity must be named.',
    rules: oneOf({ user_identities: somebody, known_identities: somebody }),
    fields: {
      ...common,
      environment: { description: 'Such as `production`, or what the caller calls it. Accepted, and decides nothing.' },
      user_attributes: {
        additionalProperties: true,
        description: 'Attributes of the person, by name. They are merged into the profile.',
      },
      context: { description: 'Comes back as it was sent.' },
      request_timestamp_ms: {
        format: 'int64',
        description: 'When the call was made, by the clock of the device; it decides nothing.',
      },
    },
  }),
  Batch: describeBody<EventsDto>({
    type: EventsDto,
    description:
      'Events of one person (protocol, "Events endpoint"), stored as they came. It names a known identity or an mpid.',
    rules: oneOf({ user_identities: somebody, known_identities: somebody, mpid: { type: ['integer', 'string'] } }),
    fields: {
      ...common,
      environment: {
        description:
          'Such as `production`, or what the caller calls it. Kept with the batch, exported and erased alike.',
      },
      events: { description: 'What happened; at most 10,000 by default.' },
      source_request_id: {
        description:
          'The caller’s name for the batch: a second one with the same, from the same key, is left out for 30 days.',
      },
      mpid: {
        type: ['integer', 'string', 'null'],
        format: 'int64',
        pattern: '^-?\\d{1,19}$',
        description:
          'The profile, as a signed 64-bit integer or its decimal string. Where it is known, it decides ' +
          'whose the batch is; where it is not, the identities do.',
      },
    },
  }),
  Event: describeBody<EventDto>({
    type: EventDto,
    description: 'An event of any type; what else it holds is kept as it came.',
    fields: {
      event_type: {
        description: 'Such as `custom_event`, `commerce_event` or `screen_view`.',
        examples: ['custom_event'],
      },
      data: { additionalProperties: true, description: 'What the type of event asks for.' },
    },
  }),
  Modify: describeBody<ModifyDto>({
    type: ModifyDto,
    description: 'Changes of the identities of a profile: all are made, or none.',
    fields: {
      environment: { description: 'Accepted, and decides nothing.' },
      identity_changes: { description: 'At most 100.' },
    },
  }),
  IdentityChange: describeBody<IdentityChangeDto>({
    type: IdentityChangeDto,
    description: '`old_value` null adds an identity, `new_value` null takes it away, both replace it.',
    fields: {
      identity_type: { enum: spellings, description: 'A name of an identity, in either dialect.' },
      old_value: { description: 'The value that is to go.' },
      new_value: { description: 'The value that is to come.' },
    },
  }),
};
