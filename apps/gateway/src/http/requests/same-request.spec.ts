import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { V1, V2 } from '@opendsr-service/contracts';
import { parseJson } from '@opendsr-service/edge';
import { defaultCreateLimits } from '../../intake/create-limits';
import { readIntake } from '../../intake/intake';
import { World } from '../../testing/world';
import { sealingKeys, sealIntake } from '../../admission/sealing';

const rules = { otherKeys: [], callbackUrlFault: () => undefined, limits: defaultCreateLimits };
const v2 = { ...rules, version: V2, extensionKey: 'opendsr.example' };
const v1 = { ...rules, version: V1, extensionKey: 'opengdpr.example' };

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

type Given = readonly [type: string, value: string];
const raw = ([identity_type, identity_value]: Given) => ({ identity_type, identity_value, identity_format: 'raw' });
const subject = (...given: Given[]) => ({ subject_identities: given.map(raw) });
const own = (mpids: string, ...given: Given[]) =>
  `"extensions":{"opendsr.example":{"mpids":${mpids},"identities":${JSON.stringify(given.map(([identity_type, identity_value]) => ({ identity_type, identity_value })))}},"opengdpr.example":{"mpids":${mpids}}}`;

/** By what a request is known to be the same as another. */
async function fingerprint(given: object, { by = v2, ws = 'acme', extension = '' } = {}): Promise<string> {
  const text = JSON.stringify({
    regulation: 'gdpr',
    subject_request_id: randomUUID(),
    subject_request_type: 'access',
    submitted_time: '2026-11-20',
    ...given,
  });
  const intake = readIntake(parseJson(Buffer.from(extension ? `${text.slice(0, -1)},${extension}}` : text), 32), by);
  return sealIntake(await sealingKeys(world.vault, ws), ws, intake).fingerprint;
}
const ann: Given = ['email', 'ann@example.com'];
const id7: Given = ['controller_customer_id', '7'];
const device: Given = ['roku_publisher_id', 'r'];
const first = subject(ann, id7, device);

it.each<[string, object, Parameters<typeof fingerprint>[1]?]>([
  ['in another order', subject(device, id7, ann)],
  ['one of them twice', subject(ann, id7, device, ann)],
  [
    'in other letters and with blanks, where these do not count',
    subject(['email', ' ANN@example.com '], ['controller_customer_id', ' 7'], ['roku_publisher_id', 'R']),
  ],
  ['in the other Roku spelling', subject(ann, id7, ['roku_publishing_id', 'r'])],
  ['inside the extension', subject(ann), { extension: own('[]', id7, device) }],
  ['all inside the extension', {}, { extension: own('[]', id7, device, ann) }],
  ['in version 1', first, { by: v1 }],
  ['beside extensions of others', { ...first, extensions: { 'else.example': { mpids: [1] } } }],
  [
    'under another regulation, with another time, group and callback URL',
    {
      ...first,
      regulation: 'ccpa',
      submitted_time: '2020-01-01',
      group_id: 'g',
      status_callback_urls: ['https://a.example'],
    },
  ],
])('the same identities %s are the same request', async (_how, given, more = {}) => {
  expect(await fingerprint(given, more)).toBe(await fingerprint(first));
});

it('mpids are the same as numbers or text, in either list and either version', async () => {
  const [one, ...others] = await Promise.all([
    fingerprint({}, { extension: own('[9007199254740993,-5]') }),
    fingerprint({}, { extension: own('["-5","9007199254740993"]') }),
    fingerprint({}, { extension: own('[-5]', ['mpid', '9007199254740993']) }),
    fingerprint({}, { extension: own('[9007199254740993,-5]'), by: v1 }),
  ]);
  expect(new Set(others)).toEqual(new Set([one]));
  expect(await fingerprint({}, { extension: own('[9007199254740992,-5]') })).not.toBe(one);
});

it.each<[string, object, Parameters<typeof fingerprint>[1]?]>([
  ['fewer identities', subject(ann, id7)],
  ['more identities', subject(ann, id7, device, ['android_id', 'a'])],
  ['an mpid more', first, { extension: own('[1]') }],
  ['another type', { ...first, subject_request_type: 'erasure' }],
  ['a customer id in other letters', subject(ann, ['controller_customer_id', 'A'], device)],
  ['values under each other’s types', subject(['email', '7'], ['controller_customer_id', 'ann@example.com'], device)],
  ['another workspace', first, { ws: 'other' }],
])('a request with %s is a different request', async (_how, given, more = {}) => {
  expect(await fingerprint(given, more)).not.toBe(await fingerprint(first));
});

it('the hash of a callback host is equal for all its URLs, and different in each workspace', async () => {
  const hostsFor = async (ws: string) => {
    const text = JSON.stringify({
      regulation: 'gdpr',
      subject_request_id: randomUUID(),
      subject_request_type: 'access',
      submitted_time: '2026-11-20',
      ...first,
      status_callback_urls: ['https://a.example/1', 'https://A.example:443/2', 'https://a.example:8443/'],
    });
    const { sealed } = sealIntake(
      await sealingKeys(world.vault, ws),
      ws,
      readIntake(parseJson(Buffer.from(text), 32), v2),
    );
    return sealed?.callbacks.map(({ host }) => host) ?? [];
  };
  const [same, alike, port] = await hostsFor('acme');
  expect([same, alike]).toEqual([expect.stringMatching(/^[\w-]{43}$/), same]);
  expect(port).not.toBe(same);
  expect(await hostsFor('other')).not.toContain(same);
});
