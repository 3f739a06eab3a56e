import { IDENTITY_TYPES, type IdentityTypeName, type ProtocolVersion } from '@opendsr-service/contracts';
import { describeBody, schemaRef, type ApiPart, type DescribedBody } from '@opendsr-service/edge';
import { defaultCreateLimits as limits } from './create-limits';
import { CreateRequestDto, ExtensionDto, ExtensionIdentityDto, IdentityDto } from './create-request.dto';

/** In an installation the key is the processor domain of the version. */
export const exampleDomain = ({ hasRegulation }: ProtocolVersion): string =>
  hasRegulation ? 'opendsr.service.com' : 'opengdpr.service.com';

const spellings = (isListed: (type: IdentityTypeName) => boolean): string[] =>
  (Object.keys(IDENTITY_TYPES) as IdentityTypeName[])
    .filter(isListed)
    .flatMap((name) => [name, ...IDENTITY_TYPES[name].requestAliases]);

const named = (field: string, schema: ApiPart): ApiPart => ({ required: [field], properties: { [field]: schema } });
const someOf = { type: 'array', minItems: 1 };
const ownNames = { type: 'object', anyOf: [named('mpids', someOf), named('identities', someOf)] };

/** Blank values are refused. */
const notBlank = { pattern: '\\S' };
const value =
  'The value. The service compares values in composed form (NFC), without blanks and invisible characters at both ends: ' +
  'e-mail addresses and device ids in lower case, e-mail domains in their ASCII form, phone numbers without blanks, ' +
  'hyphens, brackets, dots and slashes and with a leading `00` as `+`. All else is compared as it is.';

export const createRequestBodies = (version: ProtocolVersion): Readonly<Record<string, DescribedBody>> => ({
  CreateRequest: describeBody<CreateRequestDto>({
    type: CreateRequestDto,
    description:
      'A data subject request (protocol, "Request"). The service ignores unknown fields. ' +
      '`subject_identities` or our own extension must name a data subject. Two requests are equal if ' +
      'type and set of identities are equal, in any order, wherever they stand in `subject_identities` and our own ' +
      'extension. While the first is pending or in progress, the service answers the second with 409.',
    given: { hasRegulation: version.hasRegulation },
    rules: {
      anyOf: [
        named('subject_identities', someOf),
        named('extensions', { type: 'object', ...named(exampleDomain(version), ownNames) }),
      ],
    },
    fields: {
      regulation: version.hasRegulation ? { description: 'The law on which the request is based.' } : 'internal',
      subject_request_id: {
        description:
          'The id of the request from the controller, a UUID of version 4. Answers and callbacks repeat it ' +
          'unchanged. The service compares it without case.',
      },
      subject_request_type: { description: 'Portability gives the same archive as access.' },
      submitted_time: {
        description:
          'The time at which the data subject asked: an ISO 8601 date-time in extended or basic form, with ' +
          'a calendar, ordinal or week date, and a precision from hours to fractions of seconds. The default ' +
          'zone is UTC. A date alone means its midnight. Months and days between hyphens may omit the leading ' +
          'zero, as in `2024-6-5`. The time must exist: no 29 February outside leap years, no second after ' +
          '24:00, and leap seconds only at the end of a day in UTC.',
      },
      subject_identities: {
        maxItems: limits.identities,
        description:
          `The identities of the data subject. A request has at most ${limits.identities} identities in all places ` +
          'together, unless the operator sets another number. An empty list counts as absent.',
      },
      api_version: {
        enum: [version.apiVersion, '', null],
        description: 'The version of this root, optional. An empty string counts as absent.',
      },
      status_callback_urls: {
        items: { type: 'string', format: 'uri' },
        maxItems: limits.callbackUrls,
        description:
          'Each URL receives every change of status, including creation. A request has at most ' +
          `${limits.callbackUrls} URLs, unless the operator sets another number. They use \`https\`, or \`http\` ` +
          'for hosts that the operator allows.',
      },
      extensions: {
        additionalProperties: true,
        properties: { [exampleDomain(version)]: { ...schemaRef('Extension') } },
        description:
          'Extensions by processor. The key of ours is the processor domain of this version, as in the header ' +
          `${version.domainHeader}, here \`${exampleDomain(version)}\`. The service ignores extensions of other ` +
          'processors. It refuses a key that differs from ours only in case, and our key of the other version.',
      },
      group_id: {
        description:
          'Relates requests of a workspace. A group has at most 150 requests. An empty string counts as absent.',
      },
      hasRegulation: 'internal',
    },
  }),
  Identity: describeBody<IdentityDto>({
    type: IdentityDto,
    description: 'An element of `subject_identities` (protocol, "Identity object").',
    fields: {
      identity_type: {
        enum: spellings((type) => !IDENTITY_TYPES[type].needsExtension),
        description: 'An identity type that needs no extension.',
      },
      identity_value: { ...notBlank, description: value },
      identity_format: { description: 'Hashed identities are not supported.' },
    },
  }),
  Extension: describeBody<ExtensionDto>({
    type: ExtensionDto,
    description: 'Our own extension (protocol, "Extension").',
    fields: {
      mpids: {
        items: {
          oneOf: [
            { type: 'integer', format: 'int64' },
            { type: 'string', pattern: '^\\s*-?\\d{1,19}\\s*$' },
          ],
        },
        maxItems: limits.identities,
        description:
          'Profiles: signed 64-bit integers, as numbers or as decimal strings. Use strings if numbers beyond ' +
          '2^53 lose digits. 0 is no profile, and refused.',
      },
      identities: {
        maxItems: limits.identities,
        description: 'Identities of any type, also those that need the extension.',
      },
    },
  }),
  ExtensionIdentity: describeBody<ExtensionIdentityDto>({
    type: ExtensionIdentityDto,
    description: 'An element of `identities` in our own extension.',
    fields: {
      identity_type: { enum: spellings(() => true), description: 'Any identity type.' },
      identity_value: { ...notBlank, description: value },
      identity_format: { description: 'Optional here; the only value is `raw`.' },
    },
  }),
});
