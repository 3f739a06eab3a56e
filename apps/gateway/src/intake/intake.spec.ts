import 'reflect-metadata';
import { V2 } from '@opendsr-service/contracts';
import { ApiError } from '@opendsr-service/edge';
import { readIntake } from './intake';

const rules = { version: V2, extensionKey: 'dsr.example', callbackUrlFault: (url: string) => (url.startsWith('https:') ? undefined : 'must be https') };
const body = {
  regulation: 'gdpr',
  subject_request_id: '475974FA-6b42-4370-bb56-b5d845686bb5',
  subject_request_type: 'access',
  submitted_time: '2026-11-20T08:00:00Z',
  subject_identities: [{ identity_type: 'email', identity_value: 'Ann@Example.com', identity_format: 'raw' }],
};
const faultsOf = (change: object): string[] => {
  try {
    readIntake({ ...body, ...change }, rules);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return error.faults.map(({ message }) => message);
    throw error;
  }
};
const identity = (identity_type: string, identity_value = 'x', identity_format = 'raw') => ({ identity_type, identity_value, identity_format });

it('reads what is asked for, normalised', () => {
  expect(readIntake({ ...body, group_id: 'g', status_callback_urls: ['https://a.example/x', 'https://a.example/x'] }, rules)).toEqual({
    srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
    type: 'access',
    regulation: 'gdpr',
    submittedTime: new Date('2026-11-20T08:00:00Z'),
    groupId: 'g',
    identities: [{ type: 'email', value: 'ann@example.com' }],
    callbackUrls: ['https://a.example/x'],
  });
});

it('reads the own extension without loss and leaves those of others alone', () => {
  const extensions = {
    'dsr.example': { mpids: [-5250698410459283291n, '9223372036854775807', 7], identities: [{ identity_type: 'other2', identity_value: 'o' }] },
    'else.example': { mpids: 'anything' },
  };
  expect(readIntake({ ...body, subject_identities: [], extensions }, rules).identities).toEqual([
    { type: 'mpid', value: '-5250698410459283291' },
    { type: 'mpid', value: '7' },
    { type: 'mpid', value: '9223372036854775807' },
    { type: 'other2', value: 'o' },
  ]);
});

it.each<[string, object, string | RegExp]>([
  ['an unknown regulation', { regulation: 'lgpd' }, /^regulation must be one of/],
  ['no regulation', { regulation: undefined }, /^regulation must be one of/],
  ['an id that is no UUID v4', { subject_request_id: '475974fa-6b42-1370-bb56-b5d845686bb5' }, 'subject_request_id must be a UUID'],
  ['an unknown request type', { subject_request_type: 'delete' }, /^subject_request_type must be one of/],
  ['no submitted time', { submitted_time: undefined }, /^submitted_time must match/],
  ['a day that does not exist', { submitted_time: '2026-02-31' }, 'submitted_time must be an ISO 8601 date-time'],
  ['an unknown identity type', { subject_identities: [identity('shoe_size')] }, 'subject_identities[0].identity_type must be a known identity type'],
  ['a hashed identity', { subject_identities: [identity('email', 'x', 'sha256')] }, /^subject_identities\[0\]\.identity_format must be equal to raw/],
  ['a type that needs the extension', { subject_identities: [identity('other')] }, 'subject_identities[0].identity_type must be given inside extensions.dsr.example'],
  ['a blank value', { subject_identities: [identity('email', '  ')] }, 'subject_identities[0].identity_value must be a value of its type'],
  ['an mpid that is none', { extensions: { 'dsr.example': { mpids: [1.5] } } }, 'extensions.dsr.example.mpids[0] must be a signed 64-bit integer'],
  ['an extension that is no object', { extensions: { 'dsr.example': [] } }, 'extensions.dsr.example must be a JSON object.'],
  ['an identity in a list of its own', { subject_identities: [[identity('email')]] }, 'subject_identities[0][0] stands where no object is expected'],
  ['nothing to act on', { subject_identities: [], extensions: { 'else.example': {} } }, /^subject_identities is required/],
  ['the version of the other root', { api_version: '1.0' }, 'api_version must be 2.0 at this address'],
  ['a callback URL that is refused', { status_callback_urls: ['https://a.example', 'http://a.example'] }, 'status_callback_urls[1] must be https'],
  ['21 callback URLs', { status_callback_urls: Array.from({ length: 21 }, (_, n) => `https://a.example/${n}`) }, /^status_callback_urls must contain no more than 20/],
  ['1001 identities', { subject_identities: Array.from({ length: 1001 }, () => identity('email')) }, /^subject_identities must contain no more than 1000/],
  ['an empty group', { group_id: '' }, /^group_id must be longer than or equal to 1/],
])('refuses %s', (_what, change, message) => {
  const faults = faultsOf(change);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(message);
});

it('names all faults at once', () => {
  expect(faultsOf({ regulation: 'x', subject_request_type: 'y', subject_identities: [identity('email', 'x', 'md5')] })).toHaveLength(3);
  expect(faultsOf({ api_version: '3', submitted_time: '2026-02-31', subject_identities: [identity('a'), identity('b')] })).toHaveLength(4);
});

it('takes an empty api_version for none, and both Roku spellings for one', () => {
  const both = [identity('roku_publishing_id', 'R'), identity('roku_publisher_id', 'r')];
  expect(readIntake({ ...body, api_version: '', subject_identities: both }, rules).identities).toEqual([{ type: 'roku_publisher_id', value: 'r' }]);
});

it('needs no regulation where the version knows none', () => {
  const v1 = { ...rules, version: { ...V2, hasRegulation: false } };
  expect(readIntake({ ...body, regulation: 'anything', hasRegulation: true }, v1)).not.toHaveProperty('regulation');
});
