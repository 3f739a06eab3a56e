import { Service } from '../testing/service';
import { World } from '../testing/world';

describe('a call that adds a login identity to a profile with the most identities', () => {
  const MOST = 100;
  let world: World;
  let service: Service;
  beforeAll(async () => {
    world = await World.open();
    service = await Service.start(world, { INGEST_PROFILE_LIMIT_IDENTITIES: String(MOST) });
  });
  afterAll(async () => {
    await service.stop();
    await world.close();
  });

  const FULL = 'names a new login identity for a profile that has as many identities as a profile may.';
  const messages = async (answer: Response) =>
    ((await answer.json()) as { errors: { message: string }[] }).errors.map(({ message }) => message);

  it('is refused by 400, and in a bulk call its batch alone', async () => {
    const shop = { customer_id: 'shop' };
    const { mpid } = await service.identity('/v1/identify', { user_identities: shop });
    const devices = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => ({
        identity_type: 'device_application_stamp',
        new_value: `d${from + n}`,
      }));
    const modify = (identity_changes: object[]) => service.post(`/v1/${mpid}/modify`, { identity_changes });
    expect((await modify(devices(1, MOST))).status).toBe(200);
    const refused = await modify(devices(MOST, MOST + 1));
    expect([refused.status, await messages(refused)]).toEqual([
      400,
      ['identity_changes[0].new_value is more than the profile may have: it has as many identities as a profile may.'],
    ]);
    const added = { user_identities: { ...shop, email: 'new@example.com' }, events: [] };
    for (const path of ['/v1/identify', '/v2/events']) {
      const answer = await service.post(path, added);
      expect([answer.status, await messages(answer)]).toEqual([400, [`The body ${FULL}`]]);
    }
    const bulk = await service.post('/v2/bulkevents', [added, { user_identities: shop, events: [] }]);
    expect([bulk.status, await messages(bulk)]).toEqual([
      400,
      [`[0] ${FULL}`, 'The other batch was taken. Send again only what is named here.'],
    ]);
    const own = await service.identity('/v1/identify', {
      user_identities: shop,
      known_identities: { device_application_stamp: 'another' },
    });
    expect([own.mpid, own.matched_identities]).toEqual([mpid, { customer_id: 'shop' }]);
  });
});
