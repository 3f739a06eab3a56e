import { identity, World } from '../testing/world';

/** Whose identities are, on whichever store: embedded, or MongoDB at an address. */
export function subjectsContract(mongodbUri?: string): void {
  const customer = (value: string) => identity('controller_customer_id', value);
  const email = (value: string) => identity('email', value);
  const device = (value: string) => identity('ios_advertising_id', value);

  describe('whose identities are', () => {
    let world: World;
    let ws = '';
    let n = 0;
    beforeAll(async () => {
      world = await World.open(mongodbUri);
    });
    beforeEach(() => {
      ws = `ws${++n}`;
    });
    afterAll(() => world.close());
    const mpidOf = async (...ranked: Parameters<typeof world.stores.subjects.identify>[1]) => (await world.identify(ws, ...ranked)).mpid;

    it('is decided once, though two hundred name one new customer at the same time', async () => {
      const mpids = await Promise.all(Array.from({ length: 200 }, () => mpidOf(customer('c'), email('e'))));
      expect(new Set(mpids).size).toBe(1);
      const owned = await world.stores.identities.findOf(ws, [mpids[0] ?? '']);
      expect(owned.map(({ type }) => type).sort()).toEqual(['controller_customer_id', 'email']);
    });

    it('is decided once, though they name the new customer in different words', async () => {
      const warm = await mpidOf(identity('other', 'somebody else'));
      for (let round = 0; round < 5; round += 1) {
        const [c, e, d] = [customer(`c${round}`), email(`e${round}`), device(`d${round}`)];
        const ways = [[c, e], [e], [e, d], [c, e, d]];
        const mpids = await Promise.all(Array.from({ length: 40 }, (_, i) => mpidOf(...(ways[i % ways.length] ?? []))));
        expect(new Set(mpids).size).toBe(1);
        expect(mpids[0]).not.toBe(warm);
      }
    });

    it('never changes once somebody was told', async () => {
      const ways = [[customer('c'), email('e')], [email('e'), device('d')], [customer('c'), device('d')]];
      const told = await Promise.all(
        Array.from({ length: 60 }, async (_, i) => {
          const ranked = ways[i % ways.length] ?? [];
          const subject = await world.identify(ws, ...ranked);
          return subject.owned.map((own) => `${own.type} ${subject.mpid}`);
        }),
      );
      const owners = new Map<string, Set<string>>();
      for (const [type = '', mpid = ''] of told.flat().map((line) => line.split(' '))) owners.set(type, (owners.get(type) ?? new Set()).add(mpid));
      expect([...owners.values()].map(({ size }) => size)).toEqual([...owners.values()].map(() => 1));
    });

    it('is a signed 64-bit integer as a decimal string', async () => {
      const mpid = await mpidOf(customer('c'));
      expect(BigInt.asIntN(64, BigInt(mpid)).toString()).toBe(mpid);
    });

    it('is decided by the highest-ranking one that is known; owned ones stay, the others follow it', async () => {
      const first = await mpidOf(customer('c'));
      const second = await mpidOf(email('e'));
      const subject = await world.identify(ws, customer('c'), email('e'), device('d'));
      expect(subject.mpid).toBe(first);
      expect(subject.owned).toEqual([customer('c'), device('d')]);
      expect(await mpidOf(email('e'))).toBe(second);
      expect(await mpidOf(device('d'))).toBe(first);
    });

    it('is decided by a known one of low rank where those above it are new', async () => {
      const known = await mpidOf(device('d'));
      expect(await mpidOf(customer('c'), email('e'), device('d'))).toBe(known);
      expect(await mpidOf(customer('c'))).toBe(known);
    });

    it('differs from workspace to workspace', async () => {
      const here = await mpidOf(customer('c'));
      ws = `${ws}-other`;
      expect(await mpidOf(customer('c'))).not.toBe(here);
    });

    it('is decided anew once their profile is erased, whatever the erasure has not reached yet', async () => {
      const before = await world.identify(ws, customer('c'), email('e'));
      await world.stores.profiles.remove(ws, before.mpid);
      await world.parts.vault.destroy(ws, before.key.kid, 'subject');
      const after = await world.identify(ws, customer('c'), email('e'));
      expect(after.mpid).not.toBe(before.mpid);
      expect(after.owned).toEqual([customer('c'), email('e')]);
    });

    it('is not held up for ever by a call that died while it decided', async () => {
      const { clock, connection } = world.parts;
      const { IdentityLocks } = await import('./identity-locks.store');
      const index = await world.parts.vault.index(ws);
      const held = await new IdentityLocks(connection).take(ws, [`${ws}:${index.of('identity', 'email', 'e')}`], clock.now());
      expect(held).toBeDefined();
      clock.advance(10_000);
      expect(await mpidOf(email('e'))).toMatch(/^-?\d+$/);
    });
  });

  describe('whom a request reaches', () => {
    let world: World;
    beforeAll(async () => {
      world = await World.open(mongodbUri);
    });
    afterAll(() => world.close());
    const reached = async (ws: string, ...identities: Parameters<typeof world.stores.reach.profiles>[1]) =>
      (await world.stores.reach.profiles(ws, identities)).map(({ mpid }) => mpid);

    it('is the profile of a device alone only where nobody logged in', async () => {
      const anonymous = await world.identify('a', device('d1'));
      expect(await reached('a', device('d1'))).toEqual([anonymous.mpid]);
      await world.identify('a', email('e'), device('d1'));
      expect(await reached('a', device('d1'))).toEqual([]);
      expect(await reached('a', device('d1'), email('e'))).toEqual([anonymous.mpid]);
    });

    it('is the profile that it names by mpid, in its own workspace alone', async () => {
      const { mpid } = await world.identify('b', email('e'));
      expect(await reached('b', identity('mpid', mpid))).toEqual([mpid]);
      expect(await reached('c', identity('mpid', mpid))).toEqual([]);
    });
  });
}
