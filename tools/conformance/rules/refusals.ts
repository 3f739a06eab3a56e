import { randomUUID } from 'node:crypto';
import { expectEqual, expectStatus, expectThat, fieldsOf } from '../checks';
import { expectRefusal } from '../life';
import { firstFault } from '../processor';
import { inInterface, inNotes, type Rule } from '../rule';
import { raw, type Session } from '../session';

type Change = (session: Session) => object;

/** Creates with one difference that must get 400. */
const refused = (
  id: string,
  title: string,
  change: Change,
  versions?: Rule['versions'],
): Omit<Rule, 'section' | 'source'> => ({
  id: `refuse.${id}`,
  title,
  ...(versions && { versions }),
  run: (session) => expectRefusal(session, session.body(change(session))),
});

/** Each of these bodies is refused with 400; the first that is not is named. */
const eachRefused = (
  id: string,
  title: string,
  changes: (session: Session) => Readonly<Record<string, object>>,
): Omit<Rule, 'section' | 'source'> => ({
  id: `refuse.${id}`,
  title,
  run: async (session) => {
    for (const [what, change] of Object.entries(changes(session)))
      expectStatus(await session.create(session.body(change)), 400, what);
  },
});

const onV2 = ['2.0'] as const;

/** The fourth group says version 1: time-based, not random. */
const uuidV1 = () => randomUUID().replace(/^(.{14})4/, '$11');

const without = (field: string) => (session: Session) => ({
  subject_identities: [{ ...raw('email', session.email()), [field]: undefined }],
});

export const refusalRules = [
  ...inInterface('Request', [
    refused('no-regulation', 'regulation is required', () => ({ regulation: undefined }), onV2),
    refused('no-id', 'subject_request_id is required', () => ({ subject_request_id: undefined })),
    refused('no-type', 'subject_request_type is required', () => ({ subject_request_type: undefined })),
    refused('no-submitted-time', 'submitted_time is required', () => ({ submitted_time: undefined })),
    refused('no-identities', 'subject_identities is required without extensions', () => ({
      subject_identities: undefined,
    })),
    refused('regulation', 'regulation is gdpr or ccpa', () => ({ regulation: 'lgpd' }), onV2),
    refused('id', 'subject_request_id is a UUID', () => ({ subject_request_id: 'conformance' })),
    refused('id-version', 'subject_request_id is a UUID of version 4', () => ({ subject_request_id: uuidV1() })),
    refused('type', 'subject_request_type is access, portability or erasure', () => ({
      subject_request_type: 'rectification',
    })),
    refused('submitted-time', 'submitted_time is an ISO 8601 time', () => ({ submitted_time: 'yesterday' })),
    refused('regulation-type', 'regulation is a string', () => ({ regulation: 5 }), onV2),
    eachRefused('types', 'every other field has its type of the table', (session) => ({
      'a number as id': { subject_request_id: 5 },
      'an array as type': { subject_request_type: ['access'] },
      'a number as time': { submitted_time: 1_700_000_000 },
      'an object as identities': { subject_identities: raw('email', session.email()) },
      'a string as identity': { subject_identities: ['email'] },
      'null as identity': { subject_identities: [null] },
      'a number as api_version': { api_version: 2 },
      'a string as callback URLs': { status_callback_urls: 'https://callbacks.example.com/' },
      'a number as callback URL': { status_callback_urls: [5] },
      'a string as extensions': { extensions: 'all' },
    })),
    refused('callback-url', 'a callback URL is a URL', () => ({ status_callback_urls: ['nowhere'] })),
  ]),
  ...inInterface('Identity object', [
    refused('identity-type-missing', 'every identity has an identity_type', without('identity_type')),
    refused('identity-value-missing', 'every identity has an identity_value', without('identity_value')),
    refused('identity-format-missing', 'every identity has an identity_format', without('identity_format')),
    refused('identity-type', 'identity_type is a type of the table', (session) => ({
      subject_identities: [raw('shoe_size', session.email())],
    })),
    refused('identity-value-type', 'identity_value is a string', () => ({
      subject_identities: [{ ...raw('email', ''), identity_value: 5 }],
    })),
    eachRefused('hashed', 'hashed identities are refused', (session) =>
      Object.fromEntries(
        ['sha1', 'sha256', 'md5', 'RAW'].map((format) => [
          format,
          { subject_identities: [{ ...raw('email', session.email()), identity_format: format }] },
        ]),
      ),
    ),
  ]),
  ...inInterface('Errors', [
    {
      id: 'refuse.malformed',
      title: 'a body that is not a JSON object gets 400',
      run: async (session) => {
        for (const text of ['{', '[]', 'null', '"text"', '5', ''])
          expectStatus(await session.create(text), 400, `a create of ${text || 'nothing'}`);
      },
    },
    {
      id: 'refuse.exists',
      title: 'an existing id gets 400, InvalidOperationException, Validation',
      run: async (session) => {
        const body = await session.admit();
        const answer = await session.create(body);
        expectStatus(answer, 400);
        const { reason, domain } = firstFault(answer);
        expectEqual('the fault', { reason, domain }, { reason: 'InvalidOperationException', domain: 'Validation' });
      },
    },
    {
      id: 'refuse.exists-changed',
      title: 'an existing id gets 400 also with another body',
      run: async (session) =>
        expectRefusal(session, session.body({ subject_request_id: (await session.admit()).subject_request_id })),
    },
  ]),
  ...inNotes('subject_request_id', [
    {
      id: 'refuse.exists-case',
      title: 'an existing id gets 400 also in upper case',
      run: async (session) =>
        expectRefusal(
          session,
          session.body({ subject_request_id: (await session.admit()).subject_request_id.toUpperCase() }),
        ),
    },
  ]),
  ...inNotes('api_version in the body that contradicts the root', [
    {
      id: 'refuse.api-version',
      title: 'the api_version of the other root is refused',
      run: (session) =>
        expectRefusal(session, session.body({ api_version: session.version.apiVersion === '2.0' ? '1.0' : '2.0' })),
    },
  ]),
  ...inNotes('Several faults at once', [
    {
      id: 'refuse.all-faults',
      title: 'one answer names several faults of a body',
      run: async (session) => {
        const answer = await session.create(
          session.body({ subject_request_type: 'x', submitted_time: 'x', subject_request_id: 'x' }),
        );
        expectStatus(answer, 400);
        const { errors } = fieldsOf(answer);
        const said = JSON.stringify(errors);
        const missing = ['subject_request_type', 'submitted_time', 'subject_request_id'].filter(
          (field) => !said.includes(field),
        );
        expectThat(
          missing.length === 0,
          'every faulty field to be named in errors',
          `nothing of ${missing.join(', ')}`,
        );
      },
    },
  ]),
  ...inNotes('status_callback_urls', [
    refused('http-callback', 'a callback URL without TLS is refused', () => ({
      status_callback_urls: ['http://callbacks.example.com/'],
    })),
  ]),
  ...inNotes('group_id', [
    eachRefused('group', 'group_id has at most 256 characters and is a string', () => ({
      'one of 257': { group_id: 'g'.repeat(257) },
      'a number': { group_id: 5 },
    })),
  ]),
  ...inNotes('No subject_identities and only foreign extensions keys', [
    refused('empty-identities', 'an empty array of identities counts as none', () => ({ subject_identities: [] })),
    refused('nothing-to-act-on', 'only extensions of others are nothing to act on', () => ({
      subject_identities: undefined,
      extensions: { 'another.example.com': { mpids: [1] } },
    })),
  ]),
];
