import { DISCOVERY_IDENTITIES, REQUEST_TYPES } from '@opendsr-service/contracts';
import { expectEqual, expectFields, expectStatus, expectSuccess, expectThat, fieldsOf, type Fields } from '../checks';
import { discovery, expectJsonType, expectStrictJsonType } from '../processor';
import { inInterface, inNotes } from '../rule';
import type { Session } from '../session';

const record = async (session: Session): Promise<Fields> => fieldsOf(await discovery(session));

const identities = async (session: Session): Promise<readonly Fields[]> => {
  const { supported_identities: list } = await record(session);
  expectThat(Array.isArray(list), 'supported_identities (array)', 'something else');
  return list as readonly Fields[];
};

const sorted = (values: readonly unknown[]) => values.map(String).sort();

export const discoveryRules = [
  ...inInterface('Endpoints', [
    {
      id: 'discovery.answer',
      title: 'discovery answers with JSON',
      run: async (session) => (
        expectSuccess(await discovery(session), 'discovery'),
        expectJsonType(await discovery(session))
      ),
    },
  ]),
  ...inInterface('Discovery record', [
    {
      id: 'discovery.fields',
      title: 'discovery has every field, of its type',
      run: async (session) =>
        expectFields(await record(session), {
          api_version: 'string',
          supported_identities: 'array',
          supported_subject_request_types: 'array',
          processor_certificate: 'absolute http(s) URL',
        }),
    },
    {
      id: 'discovery.api-version',
      title: 'api_version is the version of the root',
      run: async (session) =>
        expectEqual('api_version', (await record(session)).api_version, session.version.apiVersion),
    },
    {
      id: 'discovery.identity-types',
      title: 'discovery lists the eleven identity types, and no others',
      run: async (session) =>
        expectEqual(
          'identity types',
          sorted((await identities(session)).map((one) => one.identity_type)),
          sorted(DISCOVERY_IDENTITIES),
        ),
    },
    {
      id: 'discovery.identity-format',
      title: 'every identity type has the format raw',
      run: async (session) =>
        expectEqual('formats', [...new Set((await identities(session)).map((one) => one.identity_format))], ['raw']),
    },
    {
      id: 'discovery.request-types',
      title: 'discovery lists access, erasure and portability, and no others',
      run: async (session) => {
        const { supported_subject_request_types: types } = await record(session);
        expectEqual('request types', Array.isArray(types) ? sorted(types) : types, sorted(REQUEST_TYPES));
      },
    },
  ]),
  ...inNotes('Success codes', [
    {
      id: 'discovery.status',
      title: 'discovery gets 200',
      run: async (session) => expectStatus(await discovery(session), 200),
    },
  ]),
  ...inNotes('Content-Type of answers', [
    {
      id: 'discovery.content-type',
      title: 'discovery is application/json; charset=utf-8',
      run: async (session) => expectStrictJsonType(await discovery(session)),
    },
  ]),
  ...inNotes('Discovery and certificate', [
    {
      id: 'discovery.any-credentials',
      title: 'discovery ignores credentials, also wrong ones',
      run: async (session) => {
        for (const as of [session.target.account, { key: 'nobody', secret: 'wrong' }])
          expectStatus(await session.call('GET', '/discovery', { as }), 200, 'discovery with credentials');
      },
    },
  ]),
];
