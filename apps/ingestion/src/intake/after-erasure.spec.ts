import type { AfterErasurePolicy } from '@opendsr-service/contracts';
import { Service } from '../testing/service';
import { until } from '@opendsr-service/messaging/testing';
import { identity, World } from '../testing/world';

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

const of = (email: string) => ({ user_identities: { email } });
const exported = (email: string) => world.export('acme', identity('email', email));
const eraseIdentity = async (type: string, value: string): Promise<void> => {
  const index = await world.parts.vault.index('acme');
  await world.stores.erased.remember('acme', [`acme:${index.hash('identity', type, value)}`], world.parts.clock.now());
};
const erase = (email: string): Promise<void> => eraseIdentity('email', email);
const eraseMpidOf = async (email: string): Promise<string> => {
  const { mpid } = await service.identity('/v1/identify', of(email));
  await world.stores.removal.removeProfile('acme', mpid);
  await world.stores.removal.remove('acme', mpid, () => Promise.resolve());
  return mpid;
};
const choose = (policy: AfterErasurePolicy): Promise<void> => Service.choosePolicy(world, policy);

describe('data for an erased subject', () => {
  it('is answered by drop like any other, with an unknown mpid, and not stored', async () => {
    await erase('dropped@example.com');
    await choose('drop');
    const body = { ...of('dropped@example.com'), context: 'c', user_attributes: { food: 'pie' } };
    const counted = async () =>
      Number(/^opendsr_after_erasure_calls_total\{policy="drop"\} (\d+)$/m.exec(await service.metrics())?.[1]);
    const before = await counted();
    const [first, second] = [await service.identity('/v1/identify', body), await service.identity('/v1/login', body)];
    expect((await counted()) - before).toBe(2);
    expect(first).toEqual({
      context: 'c',
      mpid: expect.stringMatching(/^-?\d+$/) as string,
      matched_identities: {},
      is_ephemeral: true,
      is_logged_in: false,
    });
    expect(second.mpid).not.toBe(first.mpid);
    expect((await service.post('/v2/events', { ...of('dropped@example.com'), events: [] })).status).toBe(202);
    expect(
      (
        await service.post('/v2/bulkevents', [
          { ...of('dropped@example.com'), events: [] },
          { ...of('kept@example.com'), events: [] },
        ])
      ).status,
    ).toBe(202);
    expect((await service.post('/v1/search', of('dropped@example.com'))).status).toBe(404);
    await until(async () => (await exported('kept@example.com')).some((item) => 'batch' in item));
    expect(await exported('dropped@example.com')).toEqual(await exported('never-seen@example.com'));
  });

  it('is refused by reject with 403, and in a bulk call by its path', async () => {
    await erase('rejected@example.com');
    await choose('reject');
    const message = 'The body names an erased data subject; this workspace accepts no further data about them.';
    for (const [path, rest] of [
      ['/v1/identify', {}],
      ['/v1/login', {}],
      ['/v1/logout', {}],
      ['/v2/events', { events: [] }],
    ] as const) {
      const answer = await service.post(path, { ...of('rejected@example.com'), ...rest });
      expect([answer.status, await answer.json()]).toEqual([403, { errors: [{ code: 'FORBIDDEN', message }] }]);
    }
    const bulk = await service.post('/v2/bulkevents', [
      { ...of('rejected@example.com'), events: [] },
      { ...of('taken@example.com'), events: [] },
    ]);
    expect([bulk.status, await bulk.json()]).toEqual([
      400,
      {
        errors: [
          {
            code: 'BAD_REQUEST',
            message: '[0] names an erased data subject; this workspace accepts no further data about them.',
          },
          { code: 'BAD_REQUEST', message: 'The other batch was taken. Send again only what is named here.' },
        ],
      },
    ]);
    const { mpid } = await service.identity('/v1/identify', of('bystander@example.com'));
    const modified = await service.post(`/v1/${mpid}/modify`, {
      identity_changes: [{ identity_type: 'email', new_value: 'rejected@example.com' }],
    });
    expect([modified.status, await modified.json()]).toEqual([403, { errors: [{ code: 'FORBIDDEN', message }] }]);
  });

  it('may be named by mpid alone: drop is silent, reject refuses, and accept does not know the mpid', async () => {
    const mpid = await eraseMpidOf('by-mpid@example.com');
    const answers = async (policy: AfterErasurePolicy) => {
      await choose(policy);
      const single = await service.post('/v2/events', { mpid, events: [] });
      const bulk = await service.post('/v2/bulkevents', [{ mpid, events: [] }]);
      const modify = await service.post(`/v1/${mpid}/modify`, {
        identity_changes: [{ identity_type: 'email', new_value: 'new@example.com' }],
      });
      return [single.status, bulk.status, modify.status];
    };
    expect([await answers('drop'), await answers('reject'), await answers('accept')]).toEqual([
      [202, 202, 200],
      [403, 400, 403],
      [400, 400, 404],
    ]);
    expect((await service.post('/v1/search', of('new@example.com'))).status).toBe(404);
  });

  it('does not include a batch with the mpid 0, which is nobody and does not count', async () => {
    await eraseIdentity('mpid', '0');
    await choose('reject');
    for (const mpid of [0, '0'])
      expect((await service.post('/v2/events', { ...of('no-user-yet@example.com'), mpid, events: [] })).status).toBe(
        202,
      );
    await until(async () => (await exported('no-user-yet@example.com')).filter((item) => 'batch' in item).length === 2);
    const nobody = await service.post('/v2/events', { mpid: 0, events: [] });
    expect([nobody.status, await nobody.text()]).toEqual([400, expect.stringContaining('names no identity')]);
  });

  it('is stored by accept for a new profile', async () => {
    await erase('accepted@example.com');
    await choose('accept');
    const answer = await service.identity('/v1/identify', of('accepted@example.com'));
    expect(answer).toMatchObject({ is_ephemeral: false, is_logged_in: true });
    expect(await service.identity('/v1/search', of('accepted@example.com'))).toEqual(answer);
  });
});
