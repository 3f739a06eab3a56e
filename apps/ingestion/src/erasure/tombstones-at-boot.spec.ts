import { Service } from '../testing/service';
import { identity, World } from '../testing/world';

describe('a service that starts', () => {
  it('repeats the erasures of the event log before it listens', async () => {
    const world = await World.open();
    const { mpid, key } = await world.identify('acme', identity('email', 'e@example.com'));
    const { mpid: other } = await world.identify('acme', identity('email', 'other@example.com'));
    await world.parts.vault.destroy('acme', key.kid, 'subject');
    const service = await Service.start(world);
    expect((await world.stores.profiles.find('acme', [mpid, other])).map((profile) => profile.mpid)).toEqual([other]);
    expect(await world.stores.identities.findByProfiles('acme', [mpid])).toEqual([]);
    await service.stop();
    await world.close();
  });
});
