import { REGULATIONS, REQUEST_TYPES } from '@opendsr-service/contracts';
import {
  expectAdmitted,
  expectEqual,
  expectFields,
  expectStatus,
  expectThat,
  Failure,
  type Fields,
  fieldsOf,
} from '../checks';
import { life } from '../life';
import {
  expectDomain,
  expectJsonType,
  expectSignature,
  expectSignatureHeader,
  expectStrictJsonType,
} from '../processor';
import { inInterface, inNotes } from '../rule';
import type { Session } from '../session';

const created = async (session: Session) => (await life(session)).created;
const receipt = async (session: Session): Promise<Fields> => fieldsOf(await created(session));

function decoded({ encoded_request: encoded }: Fields): Buffer {
  if (typeof encoded !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded))
    throw new Failure('expected encoded_request in Base64, got something else');
  return Buffer.from(encoded, 'base64');
}

/** Bytes that no serialiser would make of the same request: spaces, escapes, letters beyond ASCII. */
const unusual = (session: Session): string =>
  JSON.stringify(session.body({ note: 'ä' }), null, 3).replace('"note"', '"n\\u006fte"') + '\n';

export const createRules = [
  ...inInterface('Endpoints', [
    {
      id: 'create.status',
      title: 'a create gets 201',
      run: async (session) => expectStatus(await created(session), 201),
    },
    {
      id: 'create.content-type',
      title: 'the receipt is application/json',
      run: async (session) => expectJsonType(await created(session)),
    },
    {
      id: 'create.domain-header',
      title: 'the receipt carries the processor domain header',
      run: async (session) => expectDomain(session, await created(session)),
    },
    {
      id: 'create.signature-header',
      title: 'the receipt carries the signature header, Base64',
      run: async (session) => void expectSignatureHeader(session, await created(session)),
    },
    {
      id: 'create.signature',
      title: 'the published certificate signed the bytes of the receipt',
      run: async (session) => expectSignature(session, await created(session)),
    },
  ]),
  ...inInterface('Creation receipt', [
    {
      id: 'create.receipt',
      title: 'the receipt has every field, of its type',
      run: async (session) =>
        expectFields(await receipt(session), {
          expected_completion_time: 'ISO 8601 time',
          received_time: 'ISO 8601 time',
          encoded_request: 'string',
          subject_request_id: 'UUID v4',
          controller_id: 'string',
        }),
    },
    {
      id: 'create.id-echo',
      title: 'subject_request_id is the id that the controller sent',
      run: async (session) =>
        expectEqual(
          'subject_request_id',
          (await receipt(session)).subject_request_id,
          (await life(session)).body.subject_request_id,
        ),
    },
    {
      id: 'create.id-case',
      title: 'the receipt has an id in upper case as it was sent',
      run: async (session) => {
        const body = session.body();
        const sent = body.subject_request_id.toUpperCase();
        const answer = await session.create({ ...body, subject_request_id: sent });
        expectEqual('subject_request_id', fieldsOf(answer).subject_request_id, sent);
      },
    },
    {
      id: 'create.encoded-request',
      title: 'encoded_request is the submitted request',
      run: async (session) =>
        expectThat(
          decoded(await receipt(session)).toString() === JSON.stringify((await life(session)).body),
          'the request as it was sent',
          'other bytes',
        ),
    },
    {
      id: 'create.controller-id',
      title: 'controller_id is the same in every receipt',
      run: async (session) => {
        const other = fieldsOf(await session.create(session.body()));
        expectEqual('controller_id', other.controller_id, (await receipt(session)).controller_id);
      },
    },
  ]),
  ...inInterface('Request', [
    {
      id: 'create.request-types',
      title: 'access, portability and erasure are accepted',
      run: async (session) => {
        for (const type of REQUEST_TYPES)
          expectAdmitted(await session.create(session.body({ subject_request_type: type })), type);
      },
    },
    {
      id: 'create.regulations',
      title: 'gdpr and ccpa are accepted',
      versions: ['2.0'],
      run: async (session) => {
        for (const regulation of REGULATIONS)
          expectAdmitted(await session.create(session.body({ regulation })), regulation);
      },
    },
    {
      id: 'create.no-api-version',
      title: 'api_version may be absent',
      run: async (session) => void (await session.admit({ api_version: undefined })),
    },
    {
      id: 'create.no-callbacks',
      title: 'status_callback_urls may be an empty array',
      run: async (session) => void (await session.admit({ status_callback_urls: [] })),
    },
    {
      id: 'create.no-regulation',
      title: 'version 1 needs no regulation',
      versions: ['1.0'],
      run: async (session) => void (await session.admit({ regulation: undefined })),
    },
  ]),
  ...inNotes('encoded_request', [
    {
      id: 'create.encoded-bytes',
      title: 'encoded_request has every byte that was sent, also spaces and escapes',
      run: async (session) => {
        const text = unusual(session);
        const answer = await session.create(text);
        expectAdmitted(answer, 'a create');
        expectThat(
          decoded(fieldsOf(answer)).equals(Buffer.from(text)),
          'exactly the bytes that were sent',
          'other bytes',
        );
      },
    },
  ]),
  ...inNotes('Content-Type of answers', [
    {
      id: 'create.strict-content-type',
      title: 'the receipt is application/json; charset=utf-8',
      run: async (session) => expectStrictJsonType(await created(session)),
    },
  ]),
  ...inNotes('Content-Type of requests', [
    {
      id: 'create.content-type-case',
      title: 'Content-Type compares without case, and may have parameters',
      run: async (session) => {
        for (const type of ['Application/JSON', 'application/json;charset=UTF-8', 'application/json; charset=utf-8'])
          expectAdmitted(await session.create(session.body(), { headers: { 'content-type': type } }), type);
      },
    },
  ]),
  ...inNotes('Times', [
    {
      id: 'create.times',
      title: 'times in the receipt are RFC 3339 in UTC',
      run: async (session) =>
        expectFields(await receipt(session), {
          expected_completion_time: 'RFC 3339 time in UTC',
          received_time: 'RFC 3339 time in UTC',
        }),
    },
    {
      id: 'create.submitted-times',
      title: 'submitted_time may be any ISO 8601 date-time, or a date alone',
      run: async (session) => {
        for (const time of [
          '2022-01-05',
          '2022-01-05T10:11:12+02:00',
          '2022-01-05T10:11:12.123Z',
          '2022-01-05T10:11:12',
        ])
          expectAdmitted(await session.create(session.body({ submitted_time: time })), time);
      },
    },
  ]),
  ...inNotes('api_version in the body that contradicts the root', [
    {
      id: 'create.empty-api-version',
      title: 'an empty api_version counts as absent',
      run: async (session) => void (await session.admit({ api_version: '' })),
    },
  ]),
  ...inNotes('Fields unknown to us', [
    {
      id: 'create.unknown-fields',
      title: 'unknown fields are accepted and ignored',
      run: async (session) => void (await session.admit({ something_else: { of: ['another'] } })),
    },
  ]),
  ...inNotes('v1 differences', [
    {
      id: 'create.regulation-ignored',
      title: 'version 1 ignores a regulation',
      versions: ['1.0'],
      run: async (session) => void (await session.admit({ regulation: 'none that is known' })),
    },
  ]),
  ...inNotes('group_id', [
    {
      id: 'create.group',
      title: 'group_id may have 256 characters',
      run: async (session) => void (await session.admit({ group_id: `${session.run}-`.padEnd(256, 'g') })),
    },
  ]),
];
