import { randomUUID } from 'node:crypto';
import { Service } from '../testing/service';
import { until } from '@opendsr-service/messaging/testing';
import { identity, World } from '../testing/world';
import type { IdentityAnswer } from './identity-answer';

let world: World;
let open: Service;
beforeAll(async () => {
  world = await World.open();
  open = await Service.start(world, { INGEST_KEY_ONLY: 'true' });
});
afterAll(async () => {
  await open.stop();
  await world.close();
});

afterEach(() => Service.choosePolicy(world, 'accept'));

const KEY = { 'x-mp-key': 'key' };
const byKeyAlone = async (path: string, body: unknown): Promise<IdentityAnswer> => {
  const answer = await open.post(path, body, KEY);
  expect(answer.status).toBe(200);
  return (await answer.json()) as IdentityAnswer;
};
const archiveOf = async (...by: Parameters<typeof identity>) =>
  JSON.stringify(await world.export('acme', identity(...by)));
const events = (named: object, page: string) => ({
  ...named,
  events: [{ event_type: 'screen_view', data: { screen_name: page } }],
});

describe('the public key alone', () => {
  it('takes over no profile: a request by the attacker’s identity does not match the victim of the same call', async () => {
    const victim = { user_identities: { email: 'victim@example.com' } };
    const { mpid } = await open.identity('/v1/identify', { ...victim, user_attributes: { secret: 'her-secret' } });
    await until(async () => (await archiveOf('email', 'victim@example.com')).includes('her-secret'));
    const attack = await byKeyAlone('/v1/identify', {
      user_identities: { email: 'victim@example.com', customer_id: 'attacker' },
    });
    expect(attack.mpid).not.toBe(mpid);
    expect(await archiveOf('controller_customer_id', 'attacker')).not.toContain('her-secret');
    expect((await open.identity('/v1/identify', { user_identities: { customer_id: 'attacker' } })).mpid).not.toBe(mpid);
  });

  it('reveals no data: neither the mpid of an e-mail address, nor other matches, nor the existence of a profile', async () => {
    const { mpid } = await open.identity('/v1/identify', {
      user_identities: { email: 'known@example.com', customer_id: 'known' },
    });
    const [known, unknown] = [
      await byKeyAlone('/v1/login', { known_identities: { email: 'known@example.com' } }),
      await byKeyAlone('/v1/login', { known_identities: { email: 'unknown@example.com' } }),
    ];
    expect(known.mpid).not.toBe(mpid);
    expect({ ...known, mpid: '', matched_identities: Object.keys(known.matched_identities) }).toEqual({
      ...unknown,
      mpid: '',
      matched_identities: Object.keys(unknown.matched_identities),
    });
    const change = {
      identity_changes: [{ identity_type: 'email', old_value: 'known@example.com', new_value: 'mine@example.com' }],
    };
    const answers = await Promise.all(
      [mpid, '42'].map(async (of) => {
        const [modified, sent] = [
          await open.post(`/v1/${of}/modify`, change, KEY),
          await open.post('/v2/events', events({ mpid: of }, 'home'), KEY),
        ];
        return [modified.status, await modified.json(), sent.status, await sent.json()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(404);
  });

  it('sends events that a request by the identity matches, also a verified one', async () => {
    const named = { user_identities: { customer_id: 'buyer' } };
    await open.identity('/v1/identify', { user_identities: { customer_id: 'buyer', email: 'buyer@example.com' } });
    expect((await open.post('/v2/events', events(named, 'by-key-alone'), KEY)).status).toBe(202);
    expect((await open.post('/v2/bulkevents', [events(named, 'in-bulk')], KEY)).status).toBe(202);
    for (const page of ['by-key-alone', 'in-bulk'])
      await until(async () => (await archiveOf('email', 'buyer@example.com')).includes(page));
  });

  it('marks no batch of a verified caller as a repeat', async () => {
    const batch = (page: string) => ({
      ...events({ user_identities: { customer_id: 'source' } }, page),
      source_request_id: 'nightly-1',
    });
    expect((await open.post('/v2/events', batch('forged'), KEY)).status).toBe(202);
    await until(async () => (await archiveOf('controller_customer_id', 'source')).includes('forged'));
    expect((await open.post('/v2/events', batch('genuine'))).status).toBe(202);
    await until(async () => (await archiveOf('controller_customer_id', 'source')).includes('genuine'));
  });

  it('marks no batch of another subject as a repeat: ids are separate for each subject', async () => {
    const batch = (customer_id: string, page: string) => ({
      ...events({ user_identities: { customer_id } }, page),
      source_request_id: 'guessable',
    });
    for (const [customer, page] of [
      ['first', 'taken'],
      ['first', 'repeated'],
      ['second', 'kept'],
    ] as const) {
      expect((await open.post('/v2/events', batch(customer, page), KEY)).status).toBe(202);
    }
    await until(async () => (await archiveOf('controller_customer_id', 'first')).includes('taken'));
    expect(
      (await open.post('/v2/events', events({ user_identities: { customer_id: 'second' } }, 'at-last'), KEY)).status,
    ).toBe(202);
    await until(async () => (await archiveOf('controller_customer_id', 'second')).includes('at-last'));
    expect(await archiveOf('controller_customer_id', 'second')).toContain('kept');
    expect(await archiveOf('controller_customer_id', 'first')).not.toContain('repeated');
  });

  it('is answered normally under the policy reject, because a 403 would reveal an erasure', async () => {
    const { mpid } = await open.identity('/v1/identify', { user_identities: { email: 'gone@example.com' } });
    await world.stores.removal.removeProfile('acme', mpid);
    await world.stores.removal.remove('acme', mpid, () => Promise.resolve());
    await Service.choosePolicy(world, 'reject');
    const body = { known_identities: { email: 'gone@example.com' }, user_attributes: { food: 'pie' } };
    const [first, second] = [await byKeyAlone('/v1/identify', body), await byKeyAlone('/v1/identify', body)];
    expect(first).toEqual({
      context: null,
      mpid: second.mpid,
      matched_identities: { email: 'gone@example.com' },
      is_ephemeral: false,
      is_logged_in: true,
    });
    expect((await open.post('/v2/events', events({ mpid: first.mpid }, 'home'), KEY)).status).toBe(202);
    expect(
      (
        await open.post(
          `/v1/${first.mpid}/modify`,
          { identity_changes: [{ identity_type: 'other', new_value: 'x' }] },
          KEY,
        )
      ).status,
    ).toBe(200);
    expect(await world.parts.connection.collection('profiles').countDocuments({ ws: 'acme', mpid: first.mpid })).toBe(
      0,
    );
  });
});

describe('the calls of a web SDK', () => {
  const device_application_stamp = randomUUID();
  const common = () => ({
    client_sdk: { platform: 'web', sdk_vendor: 'vendor', sdk_version: '2.68.0' },
    context: null,
    environment: 'development',
    request_id: randomUUID(),
    request_timestamp_ms: Date.now(),
  });
  /** Like a browser on a page of another origin: the preflight first. */
  const fromPage = async (path: string, body: object): Promise<unknown> => {
    const page = { origin: 'https://shop.example' };
    const preflight = await open.call(path, {
      method: 'OPTIONS',
      headers: {
        ...page,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-mp-key',
      },
    });
    expect([
      preflight.status,
      preflight.headers.get('access-control-allow-origin'),
      preflight.headers.get('access-control-allow-headers'),
    ]).toEqual([204, '*', 'content-type, x-mp-key']);
    const answer = await open.post(
      path,
      { ...common(), ...body },
      { ...KEY, ...page, accept: 'text/plain;charset=UTF-8' },
    );
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    return answer.json();
  };
  const call = (path: string, previous_mpid: string | null, user: object) =>
    fromPage(`/v1/${path}`, {
      previous_mpid,
      known_identities: { ...user, device_application_stamp },
    }) as Promise<IdentityAnswer>;

  it('run through identify, login, modify, logout and identify again', async () => {
    const user = { customerid: 'web-1', email: 'web@example.com' };
    const visitor = await call('identify', null, {});
    expect(visitor).toEqual({
      context: null,
      mpid: expect.stringMatching(/^-?\d+$/) as string,
      matched_identities: { device_application_stamp },
      is_ephemeral: false,
      is_logged_in: false,
    });
    const login = await call('login', visitor.mpid, user);
    expect(login).toMatchObject({
      matched_identities: { customerid: 'web-1' },
      is_ephemeral: false,
      is_logged_in: true,
    });
    expect(login.mpid).not.toBe(visitor.mpid);
    const changes = [
      { identity_type: 'email', old_value: 'web@example.com', new_value: 'new@example.com' },
      { identity_type: 'other', old_value: null, new_value: 'o' },
    ];
    expect(await fromPage(`/v1/${login.mpid}/modify`, { identity_changes: changes })).toEqual({
      change_results: [
        { identity_type: 'email', modified_mpid: login.mpid },
        { identity_type: 'other', modified_mpid: login.mpid },
      ],
    });
    expect((await call('identify', login.mpid, { ...user, email: 'new@example.com' })).mpid).toBe(login.mpid);
    expect((await call('logout', login.mpid, {})).mpid).toBe(visitor.mpid);
    expect((await call('login', visitor.mpid, user)).mpid).toBe(login.mpid);
    expect((await open.post('/v2/events', events({ mpid: login.mpid }, 'at-the-end'), KEY)).status).toBe(202);
    await until(async () => (await archiveOf('controller_customer_id', 'web-1')).includes('at-the-end'));
    expect(await archiveOf('email', 'new@example.com')).not.toContain('at-the-end');
  });
});
