import { until } from '@opendsr-service/messaging/testing';
import { testSigner, WitnessDouble } from '@opendsr-service/transparency/testing';
import { OperatorWorld } from '../testing/operator-world';
import { OperatorWorkspaces } from './operator-workspaces';

const REASON = 'a new system of the controller';
const DAY_MS = 86_400_000;

let world: OperatorWorld;
let witness: WitnessDouble;
beforeAll(async () => {
  const log = testSigner().verifier;
  witness = await WitnessDouble.start(log);
  const silent = await WitnessDouble.start(log, 'silent.example', 4);
  await silent.leave();
  world = await OperatorWorld.open({ TRANSPARENCY_WITNESSES: `${witness.setting},${silent.setting}` });
});
afterAll(async () => {
  await world.close();
  await witness.leave();
});

type Answer = Record<string, unknown>;
const get = async (path: string, group = 'viewer') => {
  const answer = await world.call('GET', path, { groups: [group] });
  return { status: answer.status, body: (await answer.json()) as Answer };
};
const post = async (path: string, body: object, group = 'admin', headers: object = {}) => {
  const answer = await world.call('POST', path, { groups: [group], body: { reason: REASON, ...body }, headers });
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Answer };
};
const KEYS = '/workspaces/acme/api-keys';
/** A change of a key of the list as it is. */
const change = async (path: string, body: object = {}) => {
  const listed = await world.call('GET', path.replace(/\/api-keys\/.*/, '/api-keys'), { groups: ['viewer'] });
  return post(path, body, 'admin', { 'if-match': listed.headers.get('etag') ?? '' });
};
const make = async (more: object = {}) =>
  (await post(KEYS, { scopes: ['dsr'], ...more })).body as Record<string, string>;
/** Whether the service lets a caller in. */
const admits = async ({ key, secret }: Answer) =>
  (
    await world.service.send('GET', '/v2/requests?group_id=x', {
      authorization: `Basic ${Buffer.from(`${String(key)}:${String(secret)}`).toString('base64')}`,
    })
  ).status === 200;
const keys = async () => ((await get(KEYS)).body['api_keys'] as Answer[]).map(({ key, state }) => [key, state]);
const audited = (action: string) => world.world.parts.connection.collection('audit').find({ action }).toArray();

it('lists the workspaces that the caller reaches, in pages, and shows one with its calendar and limits', async () => {
  const names = ({ body }: Awaited<ReturnType<typeof get>>) =>
    (body['workspaces'] as Answer[]).map(({ workspace }) => workspace);
  expect(names(await get('/workspaces'))).toEqual(['acme', 'sandbox']);
  expect(names(await get('/workspaces', 'viewer@acme'))).toEqual(['acme']);
  const first = await get('/workspaces?limit=1');
  expect(names(first)).toEqual(['acme']);
  const second = await get(`/workspaces?limit=1&cursor=${String(first.body['next_cursor'])}`);
  expect([names(second), second.body['next_cursor']]).toEqual([['sandbox'], null]);
  expect((await get('/workspaces?cursor=x')).status).toBe(400);
  expect(await get('/workspaces/acme')).toMatchObject({
    status: 200,
    body: {
      ...{ workspace: 'acme', name: 'Acme', controller_id: '1402' },
      legal: { time_zone: 'UTC', gdpr_days: null, clock_start: 'submitted' },
      limits: [{ name: 'RATE_LIMIT_CALLS_PER_MINUTE' }, { name: 'RATE_LIMIT_CREATES_PER_DAY' }],
    },
  });
  expect((await get('/workspaces/unknown')).status).toBe(404);
});

it('goes on behind a page of workspaces that are not made yet', async () => {
  const { workspaces, participants } = world.service;
  const grants = ['absent1', 'absent2', 'acme', 'later1', 'later2'].map((ws) => ({ role: 'viewer' as const, ws }));
  const operator = { subject: 'ann', grants };
  const pages: [names: string[], last: string | undefined][] = [];
  for (let after: string | undefined; pages.length < 3; after = pages.at(-1)?.[1]) {
    const { items, last } = await new OperatorWorkspaces({ workspaces, participants }).list(operator, 2, after);
    pages.push([items.map(({ ws }) => ws), last]);
  }
  expect(pages).toEqual([
    [[], 'absent2'],
    [['acme'], 'later1'],
    [[], undefined],
  ]);
});

describe('API keys', () => {
  it('are made with a secret that is shown once and works, and are on the record without it', async () => {
    const made = await make({ expires_in: '90d' });
    const expires = new Date(world.world.clock.now().getTime() + 90 * DAY_MS).toISOString();
    expect(made).toMatchObject({ scopes: ['dsr'], expires_time: expires, replaces: null });
    expect(await admits(made)).toBe(true);
    const listed = await get(KEYS);
    expect(await keys()).toContainEqual([made['key'], 'active']);
    const entries = await audited('api-key-create-asked');
    expect(entries).toMatchObject([{ ws: 'acme', srid: '', because: REASON, role: 'admin', by: 'machine' }]);
    expect(JSON.stringify([listed, entries])).not.toContain(made['secret']);
  });

  it('are replaced: the old one ends after the overlap', async () => {
    const old = await make({ expires_in: null });
    const { status, body } = await change(`${KEYS}/${old['key']}/rotation`, { overlap: '1h' });
    const ends = new Date(world.world.clock.now().getTime() + DAY_MS / 24).toISOString();
    expect([status, body['replaces'], body['replaced_expires_time']]).toEqual([201, old['key'], ends]);
    expect([await admits(old), await admits(body)]).toEqual([true, true]);
    world.world.clock.advance(DAY_MS / 24);
    expect([await admits(old), await admits(body)]).toEqual([false, true]);
    expect((await change(`${KEYS}/${old['key']}/rotation`)).status).toBe(409);
    expect(await audited('api-key-rotation-asked')).toMatchObject([{ key: old['key'] }]);
  });

  it('are ended for good', async () => {
    const made = await make();
    expect((await change(`${KEYS}/${made['key']}/revocation`)).status).toBe(204);
    expect(await keys()).toContainEqual([made['key'], 'revoked']);
    expect(await audited('api-key-revocation-asked')).toMatchObject([{ key: made['key'] }]);
  });

  it.each(['rotation', 'revocation'])('are changed by a %s only as they were listed', async (what) => {
    const made = await make();
    const path = `${KEYS}/${made['key']}/${what}`;
    const listed = await world.call('GET', KEYS, { groups: ['viewer'] });
    await make();
    for (const [headers, status] of [
      [{}, 428],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-match': listed.headers.get('etag') ?? '' }, 412],
    ] as const)
      expect((await post(path, {}, 'admin', headers)).status).toBe(status);
    expect(await keys()).toContainEqual([made['key'], 'active']);
    expect(await audited(`api-key-${what}-asked`)).not.toContainEqual(expect.objectContaining({ key: made['key'] }));
  });

  it('are replaced once by two who have read the same list', async () => {
    const made = await make();
    const before = await keys();
    const path = `${KEYS}/${made['key']}/rotation`;
    const answers = await Promise.all([change(path), change(path)]);
    // The other is refused for the key, or already for the list.
    expect([
      [201, 409],
      [201, 412],
    ]).toContainEqual(answers.map(({ status }) => status).sort());
    expect(await keys()).toHaveLength(before.length + 1);
  });

  it('say who reads the list as it is, and is too early, when they can be replaced again', async () => {
    const path = `${KEYS}/${(await make())['key']}/rotation`;
    expect((await change(path)).status).toBe(201);
    const { status, body } = await change(path);
    expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('rotate it after 30 seconds')]);
    world.world.clock.advance(30_000);
    expect((await change(path)).status).toBe(201);
  });

  it('of another workspace are unknown, and nothing happens to them', async () => {
    const made = await make();
    const foreign = `/workspaces/sandbox/api-keys/${made['key']}`;
    for (const what of ['rotation', 'revocation']) expect((await change(`${foreign}/${what}`)).status).toBe(404);
    expect(await keys()).toContainEqual([made['key'], 'active']);
    expect(await audited('api-key-revocation-asked')).not.toContainEqual(expect.objectContaining({ key: made['key'] }));
  });

  it.each([
    [{ scopes: [] }, 400],
    [{ scopes: ['root'] }, 400],
    [{ scopes: ['dsr'], expires_in: 'soon' }, 400],
    [{ scopes: ['dsr'], expires_in: '9999d' }, 400],
    [{ scopes: ['dsr'], expires_in: '1ms' }, 400],
    [{ scopes: ['dsr'], expires_in: '29s' }, 400],
    [{ scopes: ['dsr'], reason: '' }, 400],
  ])('are refused with %j', async (body, status) => {
    const counts = async () => [(await keys()).length, (await audited('api-key-create-asked')).length];
    const before = await counts();
    const answer = await post(KEYS, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).not.toMatch(/regular expression|should not be empty/);
    expect(await counts()).toEqual(before);
  });

  it('need an administrator', async () => {
    for (const group of ['operator', 'officer', 'viewer', 'admin@sandbox'])
      expect((await post(KEYS, { scopes: ['dsr'] }, group)).status).toBe(403);
    expect((await post(KEYS, { scopes: ['dsr'] }, 'admin@acme')).status).toBe(201);
    expect((await post('/workspaces/unknown/api-keys', { scopes: ['dsr'] })).status).toBe(404);
  });
});

it('shows the participants of a workspace, and of all to those who reach all', async () => {
  const add = (ws: string, name: string) =>
    world.service.participants.add({ ws, name, domain: `${name}.example.com`, types: ['erasure'] });
  for (const name of ['crm', 'billing']) await add('acme', name);
  await add('sandbox', 'crm');
  const names = (body: Answer) =>
    (body['participants'] as Answer[]).map(({ workspace, name }) => `${String(workspace)}/${String(name)}`);
  const ofOne = await get('/workspaces/acme/participants', 'viewer@acme');
  expect(names(ofOne.body)).toEqual(['acme/billing', 'acme/crm']);
  expect(ofOne.body['participants']).toMatchObject([{ types: ['erasure'], identity_types: null }, {}]);
  expect(JSON.stringify(ofOne)).not.toContain('dsrp_');
  const first = await get('/participants?limit=2');
  expect(names(first.body)).toEqual(['acme/billing', 'acme/crm']);
  const second = await get(`/participants?limit=2&cursor=${String(first.body['next_cursor'])}`);
  expect([names(second.body), second.body['next_cursor']]).toEqual([['sandbox/crm'], null]);
  expect((await get('/participants', 'viewer@acme')).status).toBe(403);
});

it('shows how the transparency log is, and which of its witnesses have cosigned', async () => {
  const read = async () => (await get('/transparency', 'viewer@acme')).body as { witnesses: Answer[] } & Answer;
  await until(async () => (await read()).witnesses.every(({ since }) => since !== null));
  await until(async () => (await read()).witnesses.some((one) => one['has_cosigned']));
  const since = expect.stringMatching(/Z$/) as string;
  const body = await read();
  expect(body).toMatchObject({ size: expect.any(Number) as number, uncovered_since: null });
  expect(body['checkpoint']).toContain(`\n${String(body['size'])}\n`);
  expect(body.witnesses).toEqual([
    { name: 'witness.example/w1', has_cosigned: true, since, reason: null },
    { name: 'silent.example', has_cosigned: false, since, reason: 'away' },
  ]);
  expect(body['verifier_key']).toMatch(/^\S+\+[0-9a-f]{8}\+/);
});
