import type { Identity } from '@opendsr-service/contracts';
import { identity, World } from '../testing/world';
import { RequestKeyGone } from './identity-order';
import { ProfileExport, type ExportItem } from './profile-export';

describe('an export', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());
  const email: Identity = identity('email', 'e@example.com');
  const kindOf = (item: ExportItem) => Object.keys(item)[0];

  it('tells all profiles before the first batch, and counts what it told', async () => {
    const people = await Promise.all(['a', 'b'].map((name) => world.identify('ws', identity('other', name))));
    const batches = people.flatMap(({ mpid, key }, n) =>
      [0, 1].map((i) => ({ _id: `${n}-${i}`, ws: 'ws', mpid, kid: key.kid, sealed: key.seal({ ws: 'ws', subject: mpid, field: 'batch' }, `{"i":${i}}`), at: new Date(i) })),
    );
    await world.stores.batches.keep(batches);
    const items = await world.export('ws', identity('other', 'a'), identity('other', 'b'));
    expect(items.map(kindOf)).toEqual(['profile', 'profile', 'batch', 'batch', 'batch', 'batch', 'end']);
    expect(items.at(-1)).toEqual({ end: { profiles: 2, batches: 4, attributes: 0 } });
    expect(items[2]).toEqual({ batch: expect.stringMatching(/^\{"i":0,"mpid":/) as string });
  });

  it('leaves out a profile that is being erased', async () => {
    const { key } = await world.identify('erased', email);
    await world.parts.vault.destroy('erased', key.kid, 'subject');
    expect(await world.export('erased', email)).toEqual([{ end: { profiles: 0, batches: 0, attributes: 0 } }]);
  });

  it('is refused once the key of its request is gone', async () => {
    const order = await world.order('ws', [email]);
    await world.parts.vault.destroy('ws', order.kid, 'request');
    await expect(world.exports.read(order).next()).rejects.toThrow(RequestKeyGone);
  });

  it('reads no batch before it is asked for it', async () => {
    const { mpid, key } = await world.identify('endless', email);
    let read = 0;
    const endless = {
      async *readOf() {
        for (;;) {
          read += 1;
          const sealed = key.seal({ ws: 'endless', subject: mpid, field: 'batch' }, '{"events":[]}');
          yield await Promise.resolve({ _id: String(read), ws: 'endless', mpid, kid: key.kid, sealed, at: new Date(0) });
        }
      },
    };
    const items = new ProfileExport({ ...world.stores, batches: endless }, world.parts.vault).read(await world.order('endless', [email]));
    for (let n = 0; n < 6; n += 1) await items.next();
    await items.return();
    expect(read).toBe(5);
  });
});
