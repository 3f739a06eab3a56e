import { Service } from './testing/service';
import { until } from '@opendsr-service/messaging/testing';
import { identity, World } from './testing/world';

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

const exported = (email: string) => world.export('acme', identity('email', email));
const event = { event_type: 'screen_view', data: { screen_name: 'home', custom_attributes: { colour: 'red' } } };

describe('POST /internal/exports', () => {
  const order = () => world.sealedIdentities('acme', [identity('email', 'exported@example.com')]);

  it('answers subjects, profiles, batches and the end, one per line', async () => {
    await service.post('/v2/events', { user_identities: { email: 'exported@example.com' }, events: [event] });
    await until(async () => (await exported('exported@example.com')).some((item) => 'batch' in item));
    const answer = await service.admin('/internal/exports', await order());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = (await answer.text()).split('\n');
    expect(lines.map((line) => line.slice(0, 10))).toEqual([
      '{"subjects',
      '{"profile"',
      '{"batch":{',
      '{"end":{"p',
      '',
    ]);
    expect(lines[3]).toBe('{"end":{"profiles":1,"batches":1,"attributes":0}}');
  });

  it('answers no profile if none matches', async () => {
    const answer = await service.admin(
      '/internal/exports',
      await world.sealedIdentities('acme', [identity('email', 'nobody@example.com')]),
    );
    expect(await answer.text()).toBe('{"subjects":[]}\n{"end":{"profiles":0,"batches":0,"attributes":0}}\n');
  });

  it('requires the token, and exists on the internal port only', async () => {
    expect((await service.admin('/internal/exports', await order(), 'guess')).status).toBe(401);
    expect((await service.post('/internal/exports', await order())).status).toBe(404);
  });

  it('accepts an order of the maximum size of a create, and refuses a malformed one', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => identity('email', `${'x'.repeat(230)}${n}@example.com`));
    expect((await service.admin('/internal/exports', await world.sealedIdentities('acme', many))).status).toBe(200);
    expect((await service.admin('/internal/exports', { ws: 'acme' })).status).toBe(400);
  });
});

describe('data that is sent', () => {
  it('is in no file as plaintext', async () => {
    const planted = [
      'planted-customer-4711',
      'planted.person@example.com',
      'planted-idfa-0815',
      'planted-pie',
      'planted-event-name',
    ];
    const [customer_id, email, ios_idfa, food, event_name] = planted;
    await service.identity('/v1/identify', {
      user_identities: { customer_id, email, ios_idfa },
      user_attributes: { food },
    });
    await service.post('/v2/events', {
      user_identities: { customer_id },
      events: [{ event_type: 'custom_event', data: { event_name } }],
    });
    await until(async () => {
      const sent = JSON.stringify(await exported('planted.person@example.com'));
      return planted.every((value) => sent.includes(value));
    });
    expect(world.filesHolding(planted)).toEqual([]);
    expect(world.filesHolding(['acme'])).toEqual(['acme']);
  });
});
