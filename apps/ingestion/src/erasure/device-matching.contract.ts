import { shownErasure } from './shown-erasure.store';
import { Erasures, WatchedPublisher } from '../testing/erasures';
import { identity, World } from '../testing/world';

/** Device matching of requests, for any store. */
export function deviceMatchingContract(mongodbUri?: string): void {
  const [email, device] = [identity('email', 'e'), identity('ios_advertising_id', 'd')];
  let world: World;
  let ws = '';
  let n = 0;
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  beforeEach(async () => {
    ws = `devices${++n}`;
    await world.parts.workspaces.create({ ws, name: ws });
  });
  afterAll(() => world.close());

  const exported = async () => (await world.export(ws, device)).filter((item) => 'profile' in item).length;
  const erase = async () => {
    const erasures = new Erasures(world, ws);
    const publisher = new WatchedPublisher(erasures, () => Promise.resolve(0));
    const order = await erasures.begin(device);
    await erasures.run(erasures.worker(publisher));
    return {
      erased: publisher.reports.map((report) => report.erased?.length),
      facts: await shownErasure(world.parts.connection, ws, order.srid),
    };
  };

  it('no profile with a login identity by default, and operators see that nothing matched', async () => {
    await world.identify(ws, email, device);
    expect(await exported()).toBe(0);
    expect(await erase()).toMatchObject({ erased: [0], facts: { erasure: { matched: 0, isReported: true } } });
    expect(await world.stores.identities.findByProfiles(ws, [(await world.identify(ws, email)).mpid])).toHaveLength(2);
  });

  it('all profiles of the device if configured, and keeps their number after the erasure', async () => {
    await world.identify(ws, email, device);
    await world.parts.workspaces.setDeviceMatching(ws, 'all');
    expect(await exported()).toBe(1);
    expect(await erase()).toMatchObject({ erased: [1], facts: { erasure: { matched: 1, isReported: true } } });
    expect(await exported()).toBe(0);
  });

  it('no unverified profile whose call named the device as well', async () => {
    await world.parts.workspaces.setDeviceMatching(ws, 'all');
    await world.stores.unverifiedSubjects.identify(ws, [email, device], 'accept');
    expect(await exported()).toBe(0);
  });
}
