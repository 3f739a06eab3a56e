import 'reflect-metadata';
import { V1, V2 } from '@opendsr-service/contracts';
import { ApiError, callbackUrlFault, egressPolicy } from '@opendsr-service/edge';
import { defaultCreateLimits as limits } from './create-limits';
import { readIntake } from './intake';

const outside = egressPolicy({ hosts: ['receiver.lan'], cidrs: [], ports: [443, 8443], loopback: false });
const rules = {
  version: V2,
  extensionKey: 'dsr.example',
  otherKeys: ['gdpr.example'],
  callbackUrlFault: (url: string) => callbackUrlFault(url, outside),
  limits,
};
const v1 = { ...rules, version: V1 };
const identity = (identity_type: string, identity_value = 'x', identity_format = 'raw') => ({
  identity_type,
  identity_value,
  identity_format,
});
const body = {
  regulation: 'gdpr',
  subject_request_id: '475974FA-6b42-4370-bb56-b5d845686bb5',
  subject_request_type: 'access',
  submitted_time: '2026-11-20T08:00:00Z',
  subject_identities: [identity('email', 'Ann@Example.com')],
};
const read = (change: object = {}, by = rules) => readIntake({ ...body, ...change }, by);
const faultsOf = (change: object, by = rules): string[] => {
  try {
    read(change, by);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.faults.map(({ message }) => message);
    throw error;
  }
};
const url = (host: string) => `https://${host}/dsr`;
const longest = `https://a.example/${'a'.repeat(2_030)}`;

it('reads the fields of a body, normalised', () => {
  expect(read({ group_id: 'g', status_callback_urls: [url('a.example'), url('b.example'), url('a.example')] })).toEqual(
    {
      srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
      sentId: '475974FA-6b42-4370-bb56-b5d845686bb5',
      type: 'access',
      regulation: 'gdpr',
      submittedTime: new Date('2026-11-20T08:00:00Z'),
      groupId: 'g',
      identities: [{ type: 'email', value: 'ann@example.com' }],
      callbackUrls: [url('a.example'), url('b.example')],
    },
  );
});

it.each<[string, object]>([
  ['fields that nobody knows', { note: 'x', hasRegulation: 7, constructor: 'x', deep: { deep: [1] } }],
  [
    'null for what may be left out',
    { api_version: null, status_callback_urls: null, extensions: null, group_id: null },
  ],
  [
    'empty lists, an empty version, an empty group and an own extension that is null or empty',
    { api_version: '', group_id: '', status_callback_urls: [], extensions: { 'dsr.example': null } },
  ],
  ['nulls inside the own extension', { extensions: { 'dsr.example': { mpids: null, identities: null } } }],
  [
    'extensions of others, whatever they are',
    {
      extensions: {
        'else.example': { mpids: 'x' },
        'opendsr.localhost': 7,
        'a.dsr.example': {},
        'dsr.example.com': {},
        'dsr-example': {},
        dsr: {},
        constructor: [],
        DSR: null,
      },
    },
  ],
  ['nothing under a key that is nearly ours', { extensions: { 'DSR.example': null, 'gdpr.example': null } }],
  ['its version named', { api_version: '2.0' }],
])('takes %s, and reads the same', (_what, change) => {
  expect(read(change)).toEqual(read());
});

it.each(['access', 'portability', 'erasure'])('takes %s requests, under either regulation', (subject_request_type) => {
  for (const regulation of ['gdpr', 'ccpa'])
    expect(read({ subject_request_type, regulation })).toMatchObject({ type: subject_request_type, regulation });
});

it.each([
  ['475974fa-6b42-4370-8b56-b5d845686bb5', '475974fa-6b42-4370-8b56-b5d845686bb5'],
  ['475974FA-6B42-4370-BB56-B5D845686BB5', '475974fa-6b42-4370-bb56-b5d845686bb5'],
])('reads the id %s as %s', (subject_request_id, srid) => {
  expect(read({ subject_request_id }).srid).toBe(srid);
});

const uuidOf = (version: string, variant = 'b') => `475974fa-6b42-${version}370-${variant}b56-b5d845686bb5`;
it.each([
  ...['0', '1', '2', '3', '5', '6', '7', '8', 'f'].map((version) => uuidOf(version)),
  ...['0', '7', 'c', 'f'].map((variant) => uuidOf('4', variant)),
  '00000000-0000-0000-0000-000000000000',
  '475974fa6b424370bb56b5d845686bb5',
  `{${uuidOf('4')}}`,
  `urn:uuid:${uuidOf('4')}`,
  `${uuidOf('4')}\n`,
  ` ${uuidOf('4')}`,
  '',
  7,
  null,
  undefined,
  [uuidOf('4')],
])('refuses the id %p', (subject_request_id) => {
  expect(faultsOf({ subject_request_id })).toEqual(['subject_request_id must be a UUID of version 4']);
});

it.each(['g', ' ', 'a & b', '\u0000', 'g'.repeat(256), '\u{1f600}'.repeat(256)])(
  'accepts the group %j unchanged',
  (group_id) => {
    expect(read({ group_id }).groupId).toBe(group_id);
  },
);

it.each(['g'.repeat(257), '\u{1f600}'.repeat(257), 'g\ufe0f'.repeat(256), '\ud800', 7, true, ['g'], {}])(
  'refuses the group %j',
  (group_id) => {
    expect(faultsOf({ group_id })).toEqual(['group_id must be text of at most 256 Unicode characters']);
  },
);

it.each<[string, unknown[], string[]]>([
  ['http', [url('a.example'), 'http://a.example/'], ['status_callback_urls[1] does not begin with https://']],
  ['userinfo', ['https://user:pass@a.example/'], ['status_callback_urls[0] holds credentials']],
  ['a fragment', ['https://a.example/#f'], ['status_callback_urls[0] has a fragment']],
  ['a private host', [url('10.0.0.1')], ['status_callback_urls[0] names a host that callbacks are not sent to']],
  ['2049 characters', [`${longest}a`], ['status_callback_urls[0] is longer than 2048 characters']],
  ['half a surrogate pair', ['https://a.example/\ud800'], ['status_callback_urls[0] is not a URL']],
  [
    'no URL, an empty one and no text',
    ['a.example', '', 7, null],
    [
      'status_callback_urls must be strings, unlike [2], [3]',
      'status_callback_urls[0] is not a URL',
      'status_callback_urls[1] is not a URL',
    ],
  ],
  [
    '51 of them, repeats or not',
    Array.from({ length: 51 }, () => url('a.example')),
    ['status_callback_urls must contain no more than 50 elements'],
  ],
])('refuses callback URLs with %s', (_what, status_callback_urls, faults) => {
  expect(faultsOf({ status_callback_urls })).toEqual(faults);
});

it('accepts 50 callback URLs, with ports, public addresses and allowed hosts, these also without TLS', () => {
  const urls = [
    longest,
    url('a.example:8443'),
    url('1.1.1.1'),
    url('receiver.lan'),
    'http://receiver.lan/',
    'https://a.example',
    'https://a.example/?q=1',
    ...Array.from({ length: 43 }, (_, n) => url(`a${n}.example`)),
  ];
  expect(longest).toHaveLength(2_048);
  expect(read({ status_callback_urls: urls }).callbackUrls).toEqual(urls);
});

it.each<[string, object, string | RegExp]>([
  ['an unknown regulation', { regulation: 'lgpd' }, /^regulation must be one of/],
  ['a regulation in capitals', { regulation: 'GDPR' }, /^regulation must be one of/],
  ['no regulation', { regulation: undefined }, /^regulation must be one of/],
  ['null for the regulation', { regulation: null }, /^regulation must be one of/],
  ['an unknown request type', { subject_request_type: 'delete' }, /^subject_request_type must be one of/],
  ['no request type', { subject_request_type: undefined }, /^subject_request_type must be one of/],
  ['no submitted time', { submitted_time: undefined }, 'submitted_time must be an ISO 8601 date-time'],
  ['a submitted time in seconds', { submitted_time: 1_641_340_800 }, 'submitted_time must be an ISO 8601 date-time'],
  ['a day that does not exist', { submitted_time: '2026-02-31' }, 'submitted_time must be an ISO 8601 date-time'],
  [
    'a year that cannot be written down',
    { submitted_time: '9999-12-31T23:59:59-01:00' },
    'submitted_time must be an ISO 8601 date-time',
  ],
  [
    'an identity in a list of its own',
    { subject_identities: [[identity('email')]] },
    'subject_identities[0] must be a JSON object.',
  ],
  [
    'nothing to act on',
    { subject_identities: [], extensions: { 'else.example': {} } },
    'subject_identities is required unless extensions.dsr.example names identities',
  ],
  [
    'null for the identities',
    { subject_identities: null, extensions: { 'dsr.example': { mpids: [] } } },
    'subject_identities is required unless extensions.dsr.example names identities',
  ],
  ['extensions that are a list', { extensions: [] }, 'extensions must be an object'],
  [
    'an own extension that is a list',
    { extensions: { 'dsr.example': [] } },
    'extensions.dsr.example must be a JSON object.',
  ],
  [
    'an own extension that is text',
    { extensions: { 'dsr.example': 'x' } },
    'extensions.dsr.example must be a JSON object.',
  ],
  ['the version of the other root', { api_version: '1.0' }, 'api_version must be 2.0 at this address'],
  ['a version that nobody knows', { api_version: '2' }, 'api_version must be 2.0 at this address'],
  ['a version that is a number', { api_version: 2 }, 'api_version must be a string'],
])('refuses %s', (_what, change, message) => {
  const faults = faultsOf(change);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(message);
});

it.each<[string, object]>([
  ['subject_identities', { subject_identities: identity('email') }],
  ['extensions.dsr.example.mpids', { extensions: { 'dsr.example': { mpids: 7 } } }],
  ['extensions.dsr.example.identities', { extensions: { 'dsr.example': { identities: 'x' } } }],
  ['extensions.dsr.example.mpids', { extensions: { 'dsr.example': { mpids: {} } } }],
  ['extensions.dsr.example.identities', { extensions: { 'dsr.example': { identities: { identity_type: 'email' } } } }],
  ['status_callback_urls', { status_callback_urls: url('a.example') }],
  ['status_callback_urls', { status_callback_urls: { a: 7 } }],
])('refuses a value that is no array in %s', (path, change) => {
  expect(faultsOf(change)).toEqual([`${path} must be an array`]);
});

it.each(['DSR.example', 'Dsr.Example', ' dsr.example', 'dsr.example ', 'dsr.example.', 'gdpr.example', 'GDPR.EXAMPLE'])(
  'refuses an own extension under %j and names the right key, also beside that key',
  (key) => {
    const fault =
      'extensions holds a key that is nearly ours, or ours at another address: here it is extensions.dsr.example, spelt so';
    for (const own of [{ mpids: [7] }, {}, 7]) expect(faultsOf({ extensions: { [key]: own } })).toEqual([fault]);
    expect(faultsOf({ extensions: { [key]: {}, 'dsr.example': { mpids: [7] } } })).toEqual([fault]);
  },
);

it.each([null, [], 'text', 7, true, undefined])('refuses the body %j', (json) => {
  expect(() => readIntake(json, rules)).toThrow('The body must be a JSON object.');
});

it('reports all faults of shape, identities, version and URLs at once', () => {
  const change = {
    regulation: 'x',
    subject_request_id: 'x',
    subject_request_type: 'x',
    submitted_time: 'x',
    api_version: '3',
    group_id: 7,
    status_callback_urls: ['x', 7],
    subject_identities: [identity('a'), identity('email', 'x', 'md5'), identity('other', ''), 'x'],
    extensions: { 'dsr.example': { mpids: [1.5], identities: [identity('b')] } },
  };
  expect(
    faultsOf(change)
      .map((message) => message.replace(/,? .*/, ''))
      .sort(),
  ).toEqual([
    'api_version',
    'extensions.dsr.example.identities[0].identity_type',
    'extensions.dsr.example.mpids[0]',
    'group_id',
    'regulation',
    'status_callback_urls',
    'status_callback_urls[0]',
    'subject_identities[0].identity_type',
    'subject_identities[1].identity_format',
    'subject_identities[2].identity_type',
    'subject_identities[2].identity_value',
    'subject_identities[3]',
    'subject_request_id',
    'subject_request_type',
    'submitted_time',
  ]);
});

it('repeats no value of the body in a fault', () => {
  const planted = 'planted';
  const change = {
    regulation: planted,
    subject_request_id: planted,
    subject_request_type: planted,
    submitted_time: planted,
    api_version: planted,
    group_id: planted.repeat(99),
    status_callback_urls: [planted, `https://10.0.0.1/${planted}`],
    subject_identities: [identity(planted, planted, planted), planted],
    extensions: { 'dsr.example': { mpids: [planted], identities: [identity(planted, planted, planted)] } },
  };
  expect(faultsOf(change).join('\n')).not.toContain(planted);
});

describe('version 1', () => {
  it('ignores every regulation', () => {
    for (const regulation of ['gdpr', 'anything', 7, null, undefined])
      expect(read({ regulation, hasRegulation: true }, v1)).not.toHaveProperty('regulation');
  });

  it('accepts the api_version 1.0 or none, and no other', () => {
    for (const api_version of ['1.0', '', null, undefined]) expect(read({ api_version }, v1).srid).toBe(read().srid);
    for (const api_version of ['2.0', '1'])
      expect(faultsOf({ api_version }, v1)).toEqual(['api_version must be 1.0 at this address']);
  });
});
