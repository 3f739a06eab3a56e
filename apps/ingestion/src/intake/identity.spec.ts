import { Service } from '../testing/service';
import { until } from '@opendsr-service/messaging/testing';
import { FULL } from '@opendsr-service/storage/testing';
import { identity, World } from '../testing/world';
import type { IdentityAnswer } from './identity-answer';

/**
 * Fewer than the backlog of a socket (511), or some may not connect in time on a busy machine. The contract has a thousand
 * concurrent calls.
 */
const CONCURRENT = FULL ? 200 : 50;

let world: World;
let service: Service;
beforeAll(async () => {
  world = await World.open();
  service = await Service.start(world);
});
afterAll(async () => {
  await service.stop();
  await world.close();
});

const identify = (body: unknown): Promise<IdentityAnswer> => service.identity('/v1/identify', body);
const exported = (email: string) => world.export('acme', identity('email', email));
const faultsOf = async (answer: Promise<Response>): Promise<[status: number, messages: string[]]> => {
  const { status, json } = await answer.then(async (got) => ({
    status: got.status,
    json: (await got.json()) as { errors: { message: string }[] },
  }));
  return [status, json.errors.map(({ message }) => message)];
};

describe('POST /v1/identify', () => {
  it('answers both spellings with the same profile', async () => {
    const first = await identify({
      user_identities: { customer_id: 'C-1', email: 'One@example.com' },
      environment: 'production',
      ip: '10.0.0.1',
    });
    expect(first).toEqual({
      context: null,
      mpid: expect.stringMatching(/^-?\d+$/) as string,
      matched_identities: { customer_id: 'C-1', email: 'one@example.com' },
      is_ephemeral: false,
      is_logged_in: true,
    });
    const second = await identify(
      '{"client_sdk":{"platform":"web","sdk_vendor":"x","sdk_version":"1"},"context":"ctx",' +
        '"environment":"development","request_id":"r","request_timestamp_ms":1,' +
        '"previous_mpid":-9223372036854775808,"known_identities":{"customerid":"C-1","ios_idfv":"AB-1","email":null,"shoe_size":"44"}}',
    );
    expect(second).toMatchObject({
      context: 'ctx',
      mpid: first.mpid,
      matched_identities: { customerid: 'C-1', ios_idfv: 'ab-1' },
    });
  });

  it('reports no login for a device alone', async () => {
    expect(await identify({ known_identities: { android_uuid: 'only-a-device' } })).toMatchObject({
      is_logged_in: false,
    });
  });

  it('gives one mpid to many concurrent calls for one new data subject', async () => {
    const ways = [
      { user_identities: { customer_id: 'C-racing', email: 'racing@example.com' } },
      { known_identities: { customerid: 'C-racing' } },
      { known_identities: { customerid: 'C-racing', ios_idfa: 'R' } },
    ];
    const answers = await Promise.all(Array.from({ length: CONCURRENT }, (_, n) => identify(ways[n % ways.length])));
    expect(new Set(answers.map(({ mpid }) => mpid)).size).toBe(1);
  });

  it('merges attributes into the profile in order, with every digit', async () => {
    const about = '"user_identities":{"email":"attributes@example.com"}';
    await identify(
      `{${about},"user_attributes":{"food":"pie","loyalty":9007199254740993,"sum":12345678901234.5678,"gone":1}}`,
    );
    await identify(`{${about},"user_attributes":{"food":"cake","gone":null}}`);
    await until(async () => JSON.stringify(await exported('attributes@example.com')).includes('cake'));
    const profile = (await exported('attributes@example.com')).find((item) => 'profile' in item);
    expect(profile).toEqual({
      profile: expect.stringContaining(
        '"user_attributes":{"food":"cake","loyalty":9007199254740993,"sum":12345678901234.5678}',
      ) as string,
    });
  });

  it('answers 503 with retry-after if attributes cannot be published', async () => {
    world.publisher.away = true;
    const answer = await service.post('/v1/identify', {
      user_identities: { email: 'away@example.com' },
      user_attributes: { food: 'pie' },
    });
    world.publisher.away = false;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  });

  it.each(['production', 'development', 'staging', 'moon base 2', '', null, 'e'.repeat(64)])(
    'accepts the environment %j',
    async (environment) => {
      expect(
        (await service.post('/v1/identify', { user_identities: { email: 'environment@example.com' }, environment }))
          .status,
      ).toBe(200);
    },
  );

  it.each([
    ['no identity', {}, 'The body names no identity of a known type.'],
    [
      'an identity that is no text',
      { user_identities: { customer_id: 7 } },
      'user_identities.customer_id must be a string of at most 4096 Unicode characters.',
    ],
    [
      'half a surrogate pair, for it would hash like any other half',
      { user_identities: { customer_id: 'C-\ud800' } },
      'user_identities.customer_id must be a string of at most 4096 Unicode characters.',
    ],
    ['no object of identities', { user_identities: 'x' }, 'user_identities must be an object'],
    [
      'a time too far ahead',
      { user_identities: { email: 'e' }, timestamp_unixtime_ms: 1_795_424_400_000 },
      'timestamp_unixtime_ms is more than 24 hours ahead.',
    ],
    ['no address', { user_identities: { email: 'e' }, ip: 'x' }, 'ip must be an ip address'],
    [
      'the name of an environment that is too long',
      { user_identities: { email: 'e' }, environment: 'e'.repeat(65) },
      'environment must be shorter than or equal to 64 characters',
    ],
    [
      'a context that is too long',
      { user_identities: { email: 'e' }, context: 'c'.repeat(1_025) },
      'context must be shorter than or equal to 1024 characters',
    ],
  ])('refuses a body with %s', async (_, body, message) => {
    const answer = await service.post('/v1/identify', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ errors: [{ code: 'BAD_REQUEST', message }] });
  });
});

describe('POST /v1/login, /v1/logout and /v1/search', () => {
  const person = { customerid: 'C-session', ios_idfa: 'SESSION-DEVICE' };
  const device = { known_identities: { ios_idfa: person.ios_idfa } };

  it('log in like identify, and log out to the anonymous profile of the device', async () => {
    const known = await identify({ known_identities: person });
    expect(await service.identity('/v1/login', { known_identities: person })).toEqual(known);
    const anonymous = await service.identity('/v1/logout/', device);
    expect(anonymous).toMatchObject({ is_logged_in: false, is_ephemeral: false });
    expect(anonymous.mpid).not.toBe(known.mpid);
    expect((await service.identity('/v1/logout', device)).mpid).toBe(anonymous.mpid);
  });

  it('log out to the profile of the login identities, if the call names any', async () => {
    const { mpid } = await identify({ known_identities: person });
    expect((await service.identity('/v1/logout', { known_identities: person })).mpid).toBe(mpid);
  });

  it('find a known profile, and create none', async () => {
    const body = { user_identities: { email: 'searched@example.com' } };
    expect(await faultsOf(service.post('/v1/search', body))).toEqual([404, ['No profile has these identities.']]);
    expect(await faultsOf(service.post('/v1/search/', body))).toEqual([404, ['No profile has these identities.']]);
    const known = await identify(body);
    const context = 'c'.repeat(1_024);
    expect(await service.identity('/v1/search', { ...body, context })).toEqual({ ...known, context });
  });
});

describe('POST /v1/{mpid}/modify', () => {
  const change = (identity_type: string, old_value?: string | null, new_value?: string | null) => ({
    identity_type,
    old_value,
    new_value,
  });
  const modify = (mpid: string, ...identity_changes: unknown[]) =>
    service.post(`/v1/${mpid}/modify`, { environment: 'production', identity_changes });
  const mpidOf = async (...emails: string[]) =>
    (await identify({ user_identities: { customer_id: `C-${emails[0]}`, email: emails[0] } })).mpid;

  it('adds, replaces and removes identities', async () => {
    const mpid = await mpidOf('changed@example.com');
    const answer = await modify(
      mpid,
      change('customerid', 'C-changed@example.com', null),
      change('email', 'changed@example.com', 'new@example.com'),
      change('ios_idfa', null, 'added'),
    );
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        change_results: ['customerid', 'email', 'ios_idfa'].map((identity_type) => ({
          identity_type,
          modified_mpid: mpid,
        })),
      },
    ]);
    const found = await Promise.all(
      [
        { email: 'new@example.com' },
        { ios_idfa: 'added' },
        { email: 'changed@example.com' },
        { customer_id: 'C-changed@example.com' },
      ].map((user_identities) => service.post('/v1/search', { user_identities })),
    );
    expect(found.map(({ status }) => status)).toEqual([200, 200, 404, 404]);
  });

  it('takes a change to zeros for the removal of a device', async () => {
    const mpid = await mpidOf('zeros@example.com');
    const zeros = '00000000-0000-0000-0000-000000000000';
    const idfa = '8a1f2c44-5d0f-4a8e-9a64-0c6a3c1f7e01';
    const modified = [];
    modified.push(await modify(mpid, change('ios_idfa', null, idfa)));
    modified.push(await modify(mpid, change('ios_idfa', idfa, zeros)));
    modified.push(await modify(mpid, change('ios_idfa', null, zeros)));
    expect(modified.map(({ status }) => status)).toEqual([200, 200, 200]);
    const search = (value: string) => service.post('/v1/search', { user_identities: { ios_idfa: value } });
    expect((await search(idfa)).status).toBe(404);
  });

  it('names every faulty change by path, never by value, and makes none', async () => {
    const mpid = await mpidOf('faulty@example.com');
    const faults = await faultsOf(
      modify(
        mpid,
        change('email', 'faulty@example.com', null),
        change('shoe_size', null, '44'),
        change('email'),
        change('email', ' ', '\u200b'),
        change('mpid', null, '1'),
      ),
    );
    expect(faults).toEqual([
      400,
      [
        'identity_changes[1].identity_type is unknown.',
        'identity_changes[2] has neither an old_value nor a new_value.',
        'identity_changes[3].old_value is empty.',
        'identity_changes[3].new_value is empty.',
        'identity_changes[4].identity_type is unknown.',
      ],
    ]);
    expect(
      (await faultsOf(modify(mpid, change('email', 'a', 'b'), 7, { identity_type: 'email', old_value: 7 })))[0],
    ).toBe(400);
    expect((await service.post('/v1/search', { user_identities: { email: 'faulty@example.com' } })).status).toBe(200);
  });

  it('takes values of as many Unicode characters as identify, and refuses half a surrogate pair', async () => {
    const [longest, mpid] = ['\u{20b9f}'.repeat(4_096), await mpidOf('long@example.com')];
    expect((await modify(mpid, change('other', null, longest))).status).toBe(200);
    expect((await identify({ user_identities: { other: longest } })).mpid).toBe(mpid);
    for (const value of [`${longest}x`, `${'\u2764\ufe0f'.repeat(2_048)}x`, 'x\udc00'])
      expect(await faultsOf(modify(mpid, change('other', null, value)))).toEqual([
        400,
        ['identity_changes[0].new_value must be text of at most 4096 Unicode characters'],
      ]);
  });

  it('names changes that the profiles do not allow, and makes none', async () => {
    const [mpid] = [await mpidOf('mine@example.com'), await mpidOf('theirs@example.com')];
    const faults = await faultsOf(
      modify(
        mpid,
        change('email', 'mine@example.com', null),
        change('email', 'theirs@example.com', 'free@example.com'),
        change('other', null, 'free'),
        change('customer_id', null, 'C-theirs@example.com'),
      ),
    );
    expect(faults).toEqual([
      400,
      [
        'identity_changes[1].old_value is not an identity of this profile.',
        'identity_changes[3].new_value belongs to another profile.',
      ],
    ]);
    expect((await service.post('/v1/search', { user_identities: { email: 'mine@example.com' } })).status).toBe(200);
    expect((await service.post('/v1/search', { user_identities: { other: 'free' } })).status).toBe(404);
  });

  it.each(['1', '-9223372036854775808', '9223372036854775808', '99999999999999999999', 'nobody'])(
    'answers 404 for the unknown mpid %s',
    async (mpid) => {
      const answer = await modify(mpid, change('email', null, 'x'));
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { errors: [{ code: 'NOT_FOUND', message: expect.any(String) as string }] },
      ]);
    },
  );

  it.each([
    {},
    { identity_changes: [] },
    { identity_changes: Array.from({ length: 101 }, () => change('email', null, 'x')) },
    { environment: 'e'.repeat(65), identity_changes: [change('email', null, 'x')] },
  ])('refuses an invalid body', async (body) => {
    expect((await faultsOf(service.post('/v1/1/modify', body)))[0]).toBe(400);
  });
});
