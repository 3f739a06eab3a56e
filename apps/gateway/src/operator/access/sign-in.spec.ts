import 'reflect-metadata';
import { Browser } from '@opendsr-service/operator-access/testing';
import { Service } from '../../testing/service';
import { World } from '../../testing/world';
import { OperatorWorld } from '../testing/operator-world';

const HOUR_MS = 3_600_000;
const IDLE_MS = HOUR_MS / 2;

describe('a browser', () => {
  let world: OperatorWorld;
  beforeAll(async () => {
    world = await OperatorWorld.open({ OPERATOR_OIDC_SCOPES: 'groups' });
  });
  afterAll(() => world.close());
  const session = async (browser: Browser) => world.as({ browser }, 'GET', '/session');

  it('asks the identity provider for the scopes that are set', async () => {
    const begun = await world.as({ browser: new Browser() }, 'GET', '/sign-in');
    expect(new URL(begun.headers.get('location') ?? '').searchParams.get('scope')).toBe('openid groups');
  });

  it('finds no link beside an identity provider, whatever it sends there', async () => {
    for (const token of ['', 'planted']) {
      const headers = { 'content-type': 'application/json' };
      const call = { method: 'POST', headers, body: JSON.stringify({ token }) };
      expect((await fetch(`${world.service.operatorUrl}/operator/v1/sign-in/link`, call)).status).toBe(404);
    }
  });

  it('signs in by the identity provider, and gets a cookie that scripts and other sites cannot use', async () => {
    const browser = new Browser();
    const answer = await world.finish(browser, await world.beginSignIn(browser, ['officer@acme', 'viewer']));
    const [cookie = '', removed = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-opendsr-operator=[\w-]{43}; Path=\/; Max-Age=36000; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect(removed).toMatch(/^__Host-opendsr-sign-in=; Path=\/; Max-Age=0;/);
    const shown = (await answer.json()) as { csrf_token: string };
    expect(shown).toMatchObject({
      subject: 'ann',
      roles: [
        { role: 'viewer', workspace: null },
        { role: 'officer', workspace: 'acme' },
      ],
    });
    expect(await (await session(browser)).json()).toEqual(shown);
  });

  it('cannot finish a sign-in twice, in another browser, or one that it did not begin', async () => {
    const [browser, thief] = [new Browser(), new Browser()];
    const back = await world.beginSignIn(browser, ['admin']);
    expect((await world.finish(thief, back)).status).toBe(401);
    await world.beginSignIn(thief, ['admin']);
    expect((await world.finish(thief, back)).status).toBe(401);
    const begun = new Map(browser.of(world.service.operatorUrl));
    expect((await world.finish(browser, back)).status).toBe(200);
    for (const [name, value] of begun) browser.set(world.service.operatorUrl, name, value);
    expect((await world.finish(browser, back)).status).toBe(401);
  });

  it('finishes the sign-in that it began last, though it comes back from another one first', async () => {
    const browser = new Browser();
    const [first, last] = [await world.beginSignIn(browser, ['admin']), await world.beginSignIn(browser, ['viewer'])];
    expect((await world.finish(browser, first)).status).toBe(401);
    expect((await world.finish(browser, '?state=planted&code=x')).status).toBe(401);
    expect((await world.finish(browser, last)).status).toBe(200);
  });

  it('gets a session of its own, whatever cookie it came with', async () => {
    const browser = new Browser();
    const name = '__Host-opendsr-operator';
    browser.set(world.service.operatorUrl, name, 'fixed');
    await world.finish(browser, await world.beginSignIn(browser, ['admin']));
    expect(browser.of(world.service.operatorUrl).get(name)).toHaveLength(43);
  });

  it('signs out, here or everywhere', async () => {
    const [here, there] = [await world.signIn(['viewer']), await world.signIn(['viewer'])];
    const stolen = new Browser();
    for (const [name, value] of here.browser.of(world.service.operatorUrl))
      stolen.set(world.service.operatorUrl, name, value);
    const signOut = await world.as(here, 'DELETE', '/session', { 'x-csrf-token': here.csrfToken });
    expect([signOut.status, (await session(stolen)).status, (await session(there.browser)).status]).toEqual([
      204, 401, 200,
    ]);
    const back = await world.signIn(['viewer']);
    await world.as(back, 'DELETE', '/sessions', { 'x-csrf-token': back.csrfToken });
    expect((await session(there.browser)).status).toBe(401);
  });

  it('is signed out after the longest time, however much it does', async () => {
    const { browser } = await world.signIn(['viewer']);
    const statuses: number[] = [];
    for (let n = 0; n < 41; n += 1) {
      world.world.clock.advance(HOUR_MS / 4);
      statuses.push((await session(browser)).status);
    }
    expect([statuses.indexOf(401), statuses.at(-1)]).toEqual([39, 401]);
  });

  it('is signed out without a call by hand, whatever its pages read by themselves', async () => {
    const { browser } = await world.signIn(['viewer']);
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      world.world.clock.advance(IDLE_MS / 4);
      const read = await world.as({ browser }, 'GET', '/request-counts', { 'x-background': '1' });
      const stream = await world.as({ browser }, 'GET', '/changes');
      statuses.push(read.status, stream.status);
      await stream.body?.cancel();
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 401, 401]);
  });

  it('learns from a machine’s token only who it is', async () => {
    const answer = await world.call('GET', '/session', { groups: ['viewer'] });
    expect(await answer.json()).toEqual({
      ...{ subject: 'machine', roles: [{ role: 'viewer', workspace: null, allows: ['read'] }] },
      ...{ csrf_token: null, ends_time: null },
    });
  });
});

it('limits the calls of an operator', async () => {
  const world = await OperatorWorld.open({ RATE_LIMIT_OPERATOR_CALLS_PER_MINUTE: '2' });
  const call = async () => (await world.call('GET', '/session', { groups: ['viewer'] })).status;
  expect([await call(), await call(), await call()]).toEqual([200, 200, 429]);
  await world.close();
});

it('says that the identity provider is away, and keeps sessions', async () => {
  const world = await OperatorWorld.open();
  const { browser } = await world.signIn(['viewer']);
  await world.provider.stop();
  expect((await world.as({ browser }, 'GET', '/session')).status).toBe(200);
  await world.service.stop();
  const service = await Service.start(world.world, {
    ...{ OPERATOR_PORT: '0', OPERATOR_URL: 'http://operators.example.com', OPERATOR_ROLES: 'a=admin' },
    ...{ OPERATOR_OIDC_ISSUER: world.provider.issuer, OPERATOR_OIDC_CLIENT_ID: 'c', OPERATOR_OIDC_AUDIENCE: 'a' },
  });
  const headers = { authorization: 'Bearer x.y.z' };
  expect((await fetch(`${service.operatorUrl}/operator/v1/session`, { headers })).status).toBe(503);
  expect((await fetch(`${service.operatorUrl}/operator/v1/sign-in`)).status).toBe(503);
  await service.stop();
  await world.world.close();
});

it('lets in by the link of a sandbox once, where there is no identity provider', async () => {
  const world = await World.open();
  const service = await Service.start(world, { OPERATOR_PORT: '0' });
  const browser = new Browser();
  const at = (path: string) => `${service.operatorUrl}/operator/v1/${path}`;
  const token = service.linkToken;
  const useIn = async (by: Browser, body: object, type = 'application/json') =>
    (
      await by.call(at('sign-in/link'), {
        ...{ method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) },
      })
    ).status;
  expect(await useIn(browser, { token: 'other' })).toBe(401);
  expect(await useIn(browser, { token: '' })).toBe(400);
  expect((await browser.call(at('sign-in'))).status).toBe(404);
  // What an address has gets into logs, and what a form sends may come from another site.
  expect((await browser.call(at(`sign-in/link?token=${token}`))).status).not.toBe(200);
  expect(await useIn(browser, { token }, 'text/plain')).toBe(415);
  expect(await useIn(browser, { token })).toBe(200);
  expect(await (await browser.call(at('session'))).json()).toMatchObject({
    ...{ subject: 'sandbox', roles: [{ role: 'admin', workspace: null }] },
  });
  expect(await useIn(new Browser(), { token })).toBe(401);
  await service.stop();
  await world.close();
});
