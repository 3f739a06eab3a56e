import { profileKey, type Identity, type ExportItem } from '@opendsr-service/contracts';
import { identity, taken, World } from '../testing/world';
import { RequestKeyGone } from './sealed-identities';
import { ndjson } from './ndjson';
import { ProfileExport } from './profile-export';

/** Results reads no longer one. */
const LONGEST_LINE_BYTES = 16_777_216;

describe('an export', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());
  const email: Identity = identity('email', 'e@example.com');
  const kindOf = (item: ExportItem) => Object.keys(item)[0];

  it('yields subjects, profiles, batches and their counts, in this order', async () => {
    const people = await Promise.all(['a', 'b'].map((name) => world.identify('ws', identity('other', name))));
    const batches = people.flatMap(({ mpid, key }, n) =>
      [0, 1].map((i) => ({
        _id: `${n}-${i}`,
        ws: 'ws',
        mpid,
        kid: key.kid,
        sealed: key.seal({ ws: 'ws', subject: mpid, field: 'batch' }, `{"i":${i}}`),
        at: new Date(i),
      })),
    );
    await world.stores.batches.keep(batches);
    const items = await world.export('ws', identity('other', 'a'), identity('other', 'b'));
    expect(items.map(kindOf)).toEqual(['subjects', 'profile', 'profile', 'batch', 'batch', 'batch', 'batch', 'end']);
    expect(items.at(-1)).toEqual({ end: { profiles: 2, batches: 4, attributes: 0 } });
    const indexes = await Promise.all(people.map(({ mpid }) => world.parts.vault.erasedIndex('ws', mpid)));
    expect([...(items[0] as { subjects: string[] }).subjects].sort()).toEqual(indexes.sort());
    expect(items[3]).toEqual({ batch: expect.stringMatching(/^\{"i":0,"mpid":/) as string });
  });

  it('has a stable order, even for batches of the same millisecond', async () => {
    const who = identity('email', 'twice@example.com');
    const { mpid, key } = await world.identify('ws', who);
    const sealed = (n: number) => key.seal({ ws: 'ws', subject: mpid, field: 'batch' }, `{"n":${n}}`);
    const batches = [3, 1, 2, 0].map((n) => ({
      _id: `same-${n}`,
      ws: 'ws',
      mpid,
      kid: key.kid,
      sealed: sealed(n),
      at: new Date(n === 0 ? 1 : 0),
    }));
    await world.stores.batches.keep(batches);
    const items = await world.export('ws', who);
    expect(items.flatMap((item) => ('batch' in item ? [(JSON.parse(item.batch) as { n: number }).n] : []))).toEqual([
      1, 2, 3, 0,
    ]);
    expect(await world.export('ws', who)).toEqual(items);
  });

  it('lists a device once that is stored as verified and as anonymous', async () => {
    const device = identity('android_id', 'shared');
    const owner = await world.identify('device', email, device);
    const unknown = taken(await world.stores.subjects.identifyAnonymous('device', [device], 'accept'));
    await world.stores.profiles.removeData('device', owner.mpid);
    await world.stores.subjects.identifyAnonymous('device', [device], 'accept');
    const [, item] = await world.export('device', device);
    expect((item as { profile: string }).profile).toContain(`{"id":${unknown.mpid},`);
    expect((item as { profile: string }).profile).toContain(
      '"device_identities":[{"type":"android_id","encoding":"none","value":"shared"}]',
    );
  });

  it('holds all identities of a profile, however many and long, in lines that results reads', async () => {
    const { mpid, key } = await world.identify('long', email);
    const sealed = (value: string) => key.seal({ ws: 'long', subject: mpid, field: 'identity' }, value);
    const values = Array.from({ length: 10_000 }, (_, n) => `${n}`.padStart(4_096, n % 2 ? '"' : '\u6f22'));
    const identities = {
      findByProfile: (ws: string) =>
        Promise.resolve(
          values.map((value, n) => ({
            _id: `long:${n}`,
            ws,
            mpid,
            kid: key.kid,
            type: 'other' as const,
            sealed: sealed(value),
          })),
        ),
    };
    const items = new ProfileExport({ ...world.stores, ...world.parts, identities }, world.parts.vault).read(
      await world.sealedIdentities('long', [email]),
    );
    let profile = '';
    for await (const piece of ndjson(await items.next(), items))
      for (const line of piece.trim().split('\n')) {
        expect(Buffer.byteLength(line)).toBeLessThan(LONGEST_LINE_BYTES);
        profile += (JSON.parse(line) as { part?: string }).part ?? '';
      }
    const { user_identities: exported } = JSON.parse(profile) as { user_identities: { value: string }[] };
    expect(await world.export('long', email)).toMatchObject([{}, { profile: expect.any(String) as string }, {}]);
    expect(exported.map(({ value }) => value).sort()).toEqual(values.sort());
  });

  it('skips a profile that is being erased', async () => {
    const { key } = await world.identify('erased', email);
    await world.parts.vault.destroy('erased', key.kid, 'subject');
    expect(await world.export('erased', email)).toEqual([
      { subjects: [] },
      { end: { profiles: 0, batches: 0, attributes: 0 } },
    ]);
  });

  it('skips a batch that is sealed under another key than its profile', async () => {
    const who = identity('email', 'own@example.com');
    const { mpid, key } = await world.identify('ws', who);
    const strange = await world.parts.vault.newKey('ws', 'subject');
    const place = { ws: 'ws', subject: mpid, field: 'batch' };
    await world.stores.batches.keep(
      [strange, key].map((by, n) => ({
        _id: `own-${n}`,
        ws: 'ws',
        mpid,
        kid: by.kid,
        sealed: by.seal(place, `{"n":${n}}`),
        at: new Date(n),
      })),
    );
    const items = await world.export('ws', who);
    expect(items.slice(2)).toEqual([
      { batch: `{"n":1,"mpid":${mpid}}` },
      { end: { profiles: 1, batches: 1, attributes: 0 } },
    ]);
  });

  it('fails after the key of its request is destroyed', async () => {
    const order = await world.sealedIdentities('ws', [email]);
    await world.parts.vault.destroy('ws', order.kid, 'request');
    await expect(world.exports.read(order).next()).rejects.toThrow(RequestKeyGone);
  });

  const endless = async () => {
    const { mpid, key } = await world.identify('endless', email);
    const sealed = key.seal({ ws: 'endless', subject: mpid, field: 'batch' }, '{"events":[]}');
    const batches = {
      read: 0,
      async *readByProfile() {
        for (;;) {
          batches.read += 1;
          yield await Promise.resolve({
            _id: String(batches.read),
            ws: 'endless',
            mpid,
            kid: key.kid,
            sealed,
            at: new Date(0),
          });
        }
      },
    };
    const items = new ProfileExport({ ...world.stores, ...world.parts, batches }, world.parts.vault).read(
      await world.sealedIdentities('endless', [email]),
    );
    return { batches, items };
  };

  it('reads batches lazily', async () => {
    const { batches, items } = await endless();
    for (let n = 0; n < 7; n += 1) await items.next();
    await items.return();
    expect(batches.read).toBe(5);
  });

  it('reads the attributes of a profile when it comes to it', async () => {
    const people = await Promise.all(['a', 'b'].map((name) => world.identify('turns', identity('other', name))));
    const read: string[] = [];
    const profiles = {
      findAllInFull(ids: readonly string[]) {
        read.push(...ids);
        return world.stores.profiles.findAllInFull(ids);
      },
    };
    const order = await world.sealedIdentities('turns', [identity('other', 'a'), identity('other', 'b')]);
    const items = new ProfileExport({ ...world.stores, ...world.parts, profiles }, world.parts.vault).read(order);
    const seen: string[] = [];
    for await (const item of items) seen.push(`${kindOf(item)} ${read.length}`);
    expect(seen).toEqual(['subjects 0', 'profile 1', 'profile 2', 'end 2']);
    expect(read.sort()).toEqual(people.map(({ mpid }) => profileKey('turns', mpid)).sort());
  });

  it('yields to the event loop, even with all data in memory', async () => {
    const { items } = await endless();
    let isOthersTurn = false;
    await items.next();
    setImmediate(() => (isOthersTurn = true));
    for (let n = 0; n < 1_000_000 && !isOthersTurn; n += 1) await items.next();
    await items.return();
    expect(isOthersTurn).toBe(true);
  });
});
