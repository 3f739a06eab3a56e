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
  'The value. E-mail addresses and device ids are compared in lower case, everything else as it came; blanks around it do not count.';

export const createRequestBodies = (version: ProtocolVersion): Readonly<Record<string, DescribedBody>> => ({
  CreateRequest: describeBody<CreateRequestDto>({
    type: CreateRequestDto,
    description:
      'A data subject request (protocol, "Request"). Fields that are not listed are accepted and ' +
      'ignored. Either `subject_identities` or the own extension must name somebody. ' +
      'Two requests are the same if type, own extension and identities are, in any order; while the ' +
      'first is pending or in progress the second is answered with 409.',
    given: { hasRegulation: version.hasRegulation },
    rules: {
      anyOf: [
        named('subject_identities', someOf),
        named('extensions', { type: 'object', ...named(exampleDomain(version), ownNames) }),
      ],
    },
    fields: {
      regulation: version.hasRegulation ? { description: 'The law under which the data subject asks.' } : 'internal',
      subject_request_id: {
        description:
          'The id that the controller gives the request, a UUID of version 4. Answers and callbacks repeat ' +
          'it as it was sent; it is compared without case.',
      },
      subject_request_type: { description: 'Portability is answered with the same archive as access.' },
      submitted_time: {
        description:
          'When the data subject asked: an ISO 8601 date-time, extended or basic, by calendar, ordinal or ' +
          'week date, from hours alone down to fractions of seconds; in UTC where it names no zone. A date ' +
          'alone is its midnight. Months and days between hyphens may lack their zero, as in `2024-6-5`. It ' +
          'must be a moment that there is: no 29th of February in other years than leap years, no second ' +
          'after 24:00, no leap second but at the end of a day in UTC.',
      },
      subject_identities: {
        maxItems: limits.identities,
        description: `Whom the request is about. At most ${limits.identities} identities in all places together, unless the operator sets another number; an empty list counts as absent.`,
      },
      api_version: {
        enum: [version.apiVersion, '', null],
        description: 'The version of this root, if it is given at all. An empty string counts as absent.',
      },
      status_callback_urls: {
        items: { type: 'string', format: 'uri' },
        maxItems: limits.callbackUrls,
        description: `Each receives every change of status, including creation. At most ${limits.callbackUrls}, unless the operator sets another number. \`https\`, or \`http\` for hosts that the operator allows.`,
      },
      extensions: {
        additionalProperties: true,
        properties: { [exampleDomain(version)]: { ...schemaRef('Extension') } },
        description: `Extensions by processor. Ours has the processor domain of this version for its key, as the header ${version.domainHeader} names it, here \`${exampleDomain(version)}\`; those of others are accepted and ignored. A key that differs from ours only in case, or that is ours in the other version, is refused.`,
      },
      group_id: {
        description:
          'Relates requests of a workspace to each other; a group holds at most 150. An empty string counts as absent.',
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
        description: 'A type that needs no extension.',
      },
      identity_value: { ...notBlank, description: value },
      identity_format: { description: 'Hashed identities are not supported.' },
    },
  }),
  Extension: describeBody<ExtensionDto>({
    type: ExtensionDto,
    description: 'The own extension (protocol, "Extension").',
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
          'Profiles: signed 64-bit integers, as numbers of any size or as decimal strings. Write strings ' +
          'where numbers beyond 2^53 lose digits.',
      },
      identities: {
        maxItems: limits.identities,
        description: 'Identities of any type, those that need the extension included.',
      },
    },
  }),
  ExtensionIdentity: describeBody<ExtensionIdentityDto>({
    type: ExtensionIdentityDto,
    description: "An element of the own extension's `identities`.",
    fields: {
      identity_type: { enum: spellings(() => true), description: 'Any identity type.' },
      identity_value: { ...notBlank, description: value },
      identity_format: { description: 'Not needed here; `raw` where it is given.' },
    },
  }),
});
