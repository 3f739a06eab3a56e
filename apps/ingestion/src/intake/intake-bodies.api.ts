import { IDENTITY_TYPES, MAX_IDENTITY_CHARS } from '@opendsr-service/contracts';
import { describeBody, schemaRef, type ApiPart, type DescribedBody } from '@opendsr-service/edge';
import { EventDto, EventsDto } from './events.dto';
import { IdentityDto } from './identity.dto';
import { IdentityChangeDto, ModifyDto } from './modify.dto';

const spellings = Object.values(IDENTITY_TYPES).flatMap(({ ingestNames }) => ingestNames);

export const NAMED_IDENTITIES: ApiPart = {
  type: ['object', 'null'],
  description: 'Identities by name. Null or blank values and names that are not listed are ignored.',
  properties: Object.fromEntries(
    spellings.map((name) => [name, { type: ['string', 'null'], maxLength: MAX_IDENTITY_CHARS }]),
  ),
  additionalProperties: true,
};

const identities = (dialect: string) => ({
  ...schemaRef('NamedIdentities'),
  description: `The identities, ${dialect}.`,
});

/** At least one of the fields has a value. */
const oneOf = (schemas: Readonly<Record<string, ApiPart>>): ApiPart => ({
  anyOf: Object.entries(schemas).map(([field, schema]) => ({ required: [field], properties: { [field]: schema } })),
});
const notEmpty = { type: 'object', minProperties: 1 };

const common = {
  user_identities: identities('in the spelling of the interface'),
  known_identities: identities('in the spelling of SDKs'),
  ip: { description: 'Address of the device.' },
  timestamp_unixtime_ms: { format: 'int64', description: 'Unix time in milliseconds, at most 24 hours ahead.' },
};

export const intakeBodies: Readonly<Record<string, DescribedBody>> = {
  IdentityCall: describeBody<IdentityDto>({
    type: IdentityDto,
    description:
      'The identities of a data subject (protocol, "Identify endpoint"), in either spelling. ' +
      'It names at least one known identity. Other fields are accepted.',
    rules: oneOf({ user_identities: notEmpty, known_identities: notEmpty }),
    fields: {
      ...common,
      environment: { description: 'Such as `production`, or any name of the caller. Accepted, but has no effect.' },
      user_attributes: {
        additionalProperties: true,
        description: 'Attributes of the data subject, by name. They are merged into the profile; null removes one.',
      },
      context: { description: 'Returned unchanged.' },
      request_timestamp_ms: {
        format: 'int64',
        description: 'Time of the call by the clock of the device. It has no effect.',
      },
    },
  }),
  Batch: describeBody<EventsDto>({
    type: EventsDto,
    description:
      'Events of one data subject (protocol, "Events endpoint"), stored unchanged. ' +
      'A batch names a known identity or an mpid.',
    rules: oneOf({ user_identities: notEmpty, known_identities: notEmpty, mpid: { type: ['integer', 'string'] } }),
    fields: {
      ...common,
      environment: {
        description: 'Such as `production`, or any name of the caller. Stored, exported and erased with the batch.',
      },
      events: { description: 'At most 10,000 by default.' },
      source_request_id: {
        description:
          'The caller’s id of the batch. A second batch with this id and the same key is skipped for 30 days.',
      },
      mpid: {
        type: ['integer', 'string', 'null'],
        format: 'int64',
        pattern: '^-?\\d{1,19}$',
        description:
          'The profile, as a signed 64-bit integer or its decimal string. Login identities of the batch that belong to ' +
          'another profile decide before it; without any it decides. 0, and an mpid that is unknown, are ignored.',
      },
    },
  }),
  Event: describeBody<EventDto>({
    type: EventDto,
    description: 'An event of any type. Other fields are stored unchanged.',
    fields: {
      event_type: {
        description: 'Such as `custom_event`, `commerce_event` or `screen_view`.',
        examples: ['custom_event'],
      },
      data: { additionalProperties: true, description: 'Depends on the type of event.' },
    },
  }),
  Modify: describeBody<ModifyDto>({
    type: ModifyDto,
    description: 'Changes of the identities of a profile. All are made, or none.',
    fields: {
      environment: { description: 'Accepted, but has no effect.' },
      identity_changes: { description: 'At most 100.' },
    },
  }),
  IdentityChange: describeBody<IdentityChangeDto>({
    type: IdentityChangeDto,
    description: '`old_value` null adds an identity, `new_value` null removes it, both replace it.',
    fields: {
      identity_type: { enum: spellings, description: 'A name of an identity, in either spelling.' },
      old_value: { description: 'The value to remove.' },
      new_value: { description: 'The value to add.' },
    },
  }),
};
