import type { TestDatabase } from '@opendsr-service/storage/testing';
import { createSecretKey, randomBytes } from 'node:crypto';
import { DEFAULT_LEGAL_CALENDAR } from '@opendsr-service/contracts';
import { MasterSeal } from '@opendsr-service/vault';
import { newCredential } from './new-credential';
import { SecretHash } from './secret-hash';
import { collectionsOf, type CredentialDocument, type Scope } from './workspace-documents';
import { Workspaces } from './workspaces';

/** Rules of workspaces and credentials for each database; `create` returns an empty one. */
export function workspacesContract(name: string, create: () => TestDatabase): void {
  describe(`workspaces on ${name}`, () => {
    const time = { now: Date.parse('2026-01-01T00:00:00Z') };
    const credentialKey = createSecretKey(randomBytes(32));
    const seal = new MasterSeal(createSecretKey(randomBytes(32)));
    const sandbox = { ws: 'sandbox', controllerId: '1402', ...newCredential() };
    const { key, secret } = sandbox;
    const expected = {
      ws: 'sandbox',
      name: 'Sandbox',
      controllerId: '1402',
      afterErasure: 'accept',
      deviceMatching: 'anonymous',
      legal: DEFAULT_LEGAL_CALENDAR,
      class: 'sandbox',
      createdAt: new Date(time.now),
    };
    let database: TestDatabase;
    let workspaces: Workspaces;
    const process = async () => new Workspaces(await database.open(), credentialKey, seal, () => time.now);
    const collections = async () => collectionsOf(await database.open());

    beforeEach(async () => {
      time.now = expected.createdAt.getTime();
      database = create();
      workspaces = await process();
      await workspaces.ready();
      await workspaces.ensureSandbox(sandbox);
    });
    afterEach(() => database.close());

    const secretOf = async (of: string) => {
      const signer = await workspaces.signer(of, 'ingest');
      return (await signer.workspace()) && signer.secret;
    };

    async function addCredential(more: Partial<CredentialDocument>) {
      const made = newCredential();
      const hash = new SecretHash(credentialKey).hashOf(made);
      await (
        await collections()
      ).credentials.insertOne({
        _id: made.key,
        ws: 'sandbox',
        hash,
        scopes: ['dsr'],
        createdAt: new Date(time.now),
        ...more,
      });
      return made;
    }

    it('admits key and secret, and returns their workspace', async () => {
      for (const scope of ['dsr', 'ingest'] as const)
        expect(await workspaces.authenticate(key, secret, scope)).toEqual(expected);
      expect(await workspaces.get('sandbox')).toEqual(expected);
      expect(await workspaces.get('other')).toBeUndefined();
    });

    it('answers a wrong secret and an unknown key with the same result', async () => {
      expect(await workspaces.authenticate(key, 'wrong', 'dsr')).toBe('unknown');
      expect(await workspaces.authenticate(key, '', 'dsr')).toBe('unknown');
      expect(await workspaces.authenticate('dsrk_unknown', secret, 'dsr')).toBe('unknown');
    });

    it('answers forbidden only to a proven credential without the scope', async () => {
      const other = await addCredential({ scopes: ['ingest'] });
      expect(await workspaces.authenticate(other.key, other.secret, 'dsr')).toBe('forbidden');
      expect(await workspaces.authenticate(other.key, 'wrong', 'dsr')).toBe('unknown');
      expect(await workspaces.authenticate(other.key, other.secret, 'ingest')).toEqual(expected);
    });

    describe('costs the same queries and hashes for each failure', () => {
      const CASES = ['an unknown key', 'a cached key', 'a key outside the cache'] as const;
      const CASES_BY_KEY = [
        'an unknown key',
        'a key of another scope',
        'a cached key of another scope',
        'a revoked key',
      ] as const;
      type Call = (who: Workspaces, of: string) => Promise<unknown>;
      /** Counts look-ups and hashes of two failures within 5 s, and of one later. */
      async function costs(
        what: (typeof CASES | typeof CASES_BY_KEY)[number],
        fails: Call,
        work: () => jest.SpiedFunction<() => unknown>,
      ) {
        const connection = await database.open();
        const who = new Workspaces(connection, credentialKey, seal, () => time.now);
        const isRevoked = what === 'a revoked key';
        const scopes: Scope[] = what.endsWith('key of another scope') ? ['dsr'] : ['dsr', 'ingest'];
        const known = await addCredential({ scopes, ...(isRevoked && { revokedAt: new Date(time.now) }) });
        if (what === 'a cached key' || what === 'a cached key of another scope')
          expect(await who.authenticate(known.key, known.secret, 'dsr')).toEqual(expected);
        const [lookUps, worked] = [
          ['credentials', 'workspaces'].map((kept) => jest.spyOn(connection.collection(kept), 'findOne')),
          work(),
        ];
        const seen: [number, number][] = [];
        for (const waitMs of [0, 0, 5_000]) {
          time.now += waitMs;
          await fails(who, what === 'an unknown key' ? 'dsrk_nobody' : known.key);
          seen.push([lookUps.flatMap(({ mock }) => mock.calls).length, worked.mock.calls.length]);
          for (const spied of lookUps) spied.mockClear();
          worked.mockClear();
        }
        for (const spied of lookUps) spied.mockRestore();
        worked.mockRestore();
        return seen;
      }

      it.each(CASES)('by a secret: %s', async (what) => {
        const wrong: Call = async (who, of) => void expect(await who.authenticate(of, 'wrong', 'dsr')).toBe('unknown');
        expect(await costs(what, wrong, () => jest.spyOn(SecretHash.prototype, 'matches') as never)).toEqual([
          [1, 2],
          [0, 2],
          [1, 2],
        ]);
      });

      it.each(CASES)('by a signature: %s', async (what) => {
        const wrong: Call = async (who, of) => (await who.signer(of, 'ingest')).failed();
        expect(await costs(what, wrong, () => jest.spyOn(MasterSeal.prototype, 'open') as never)).toEqual([
          [1, 1],
          [0, 1],
          [1, 1],
        ]);
      });

      it.each(CASES_BY_KEY)('by the key alone: %s', async (what) => {
        const refused: Call = async (who, of) =>
          void expect(typeof (await who.authenticateKey(of, 'ingest'))).toBe('string');
        expect(await costs(what, refused, () => jest.spyOn(SecretHash.prototype, 'matches') as never)).toEqual([
          [1, 0],
          [0, 0],
          [1, 0],
        ]);
      });
    });

    it('admits the right secret however often others fail with the key', async () => {
      for (let n = 0; n < 3; n += 1) {
        expect(await workspaces.authenticate(key, 'wrong', 'dsr')).toBe('unknown');
        expect(await workspaces.authenticate(key, secret, 'dsr')).toEqual(expected);
        time.now += 15_000;
      }
    });

    it('returns the workspace of a signature only for the key that made it', async () => {
      const ingest = await workspaces.credentials.createKey('sandbox', { scopes: ['ingest'] });
      const signer = await workspaces.signer(ingest.key, 'ingest');
      expect([signer.secret, await signer.workspace()]).toEqual([ingest.secret, expected]);
      const dsrOnly = await addCredential({});
      const ended = await workspaces.credentials.createKey('sandbox', {
        scopes: ['ingest'],
        expiresAt: new Date(time.now + 1),
      });
      time.now += 1;
      for (const other of ['dsrk_nobody', dsrOnly.key, ended.key])
        expect(await (await workspaces.signer(other, 'ingest')).workspace()).toBeUndefined();
      expect((await workspaces.signer('dsrk_nobody', 'ingest')).secret).toMatch(/^dsrs_/);
    });

    it('ends a cached credential at its expiry', async () => {
      const other = await addCredential({ expiresAt: new Date(time.now + 1000) });
      expect(await workspaces.authenticate(other.key, other.secret, 'dsr')).toEqual(expected);
      time.now += 1000;
      expect(await workspaces.authenticate(other.key, other.secret, 'dsr')).toBe('unknown');
    });

    it('knows a revocation after 30 s, and reads nothing from the database until then', async () => {
      await workspaces.authenticate(key, secret, 'dsr');
      await (
        await collections()
      ).credentials.updateOne({ _id: key, ws: 'sandbox' }, { $set: { revokedAt: new Date(time.now) } });
      time.now += 29_999;
      expect(await workspaces.authenticate(key, secret, 'dsr')).toEqual(expected);
      time.now += 1;
      expect(await workspaces.authenticate(key, secret, 'dsr')).toBe('unknown');
    });

    it('knows a new key after 5 s', async () => {
      const later = newCredential();
      expect(await workspaces.authenticate(later.key, later.secret, 'dsr')).toBe('unknown');
      const hash = new SecretHash(credentialKey).hashOf(later);
      await (
        await collections()
      ).credentials.insertOne({ _id: later.key, ws: 'sandbox', hash, scopes: ['dsr'], createdAt: new Date(time.now) });
      time.now += 4_999;
      expect(await workspaces.authenticate(later.key, later.secret, 'dsr')).toBe('unknown');
      time.now += 1;
      expect(await workspaces.authenticate(later.key, later.secret, 'dsr')).toEqual(expected);
    });

    it('does not admit a credential without its workspace', async () => {
      const other = await addCredential({ ws: 'gone' });
      expect(await workspaces.authenticate(other.key, other.secret, 'dsr')).toBe('unknown');
    });

    it('stores no secret in the clear', async () => {
      const { credentials } = await collections();
      const stored = JSON.stringify(await credentials.find({}).toArray());
      expect(stored).toContain(key);
      expect(stored).not.toContain(secret);
    });

    it('admits by the key alone on demand, while the credential is active', async () => {
      const other = await addCredential({ scopes: ['ingest'], expiresAt: new Date(time.now + 1000) });
      expect(await workspaces.authenticateKey(other.key, 'ingest')).toEqual(expected);
      expect(await workspaces.authenticateKey(other.key, 'dsr')).toBe('forbidden');
      expect(await workspaces.authenticateKey('dsrk_unknown', 'ingest')).toBe('unknown');
      time.now += 1000;
      expect(await workspaces.authenticateKey(other.key, 'ingest')).toBe('unknown');
    });

    it('opens the secret of an active credential that was sealed for its own key', async () => {
      expect(await secretOf(key)).toBe(secret);
      expect(await secretOf('dsrk_unknown')).toBeUndefined();
      const dsrOnly = await addCredential({});
      expect(await secretOf(dsrOnly.key)).toBeUndefined();
      const { sealed } = (await (await collections()).credentials.findOne({ _id: key })) as CredentialDocument;
      const thief = await addCredential({ scopes: ['ingest'], sealed: String(sealed) });
      await expect(secretOf(thief.key)).rejects.toMatchObject({ kind: 'seal-broken' });
      await (
        await collections()
      ).credentials.updateOne({ _id: key, ws: 'sandbox' }, { $set: { revokedAt: new Date(time.now) } });
      time.now += 30_000;
      expect(await secretOf(key)).toBeUndefined();
    });

    it('applies the policy after an erasure here at once, elsewhere within 30 s', async () => {
      const other = await process();
      await other.get('sandbox');
      expect(await workspaces.setAfterErasure('sandbox', 'reject')).toBe(true);
      expect(await workspaces.get('sandbox')).toEqual({ ...expected, afterErasure: 'reject' });
      time.now += 30_000;
      expect((await other.get('sandbox'))?.afterErasure).toBe('reject');
      await workspaces.ensureSandbox(sandbox);
      expect((await workspaces.get('sandbox'))?.afterErasure).toBe('reject');
      expect(await workspaces.setAfterErasure('other', 'drop')).toBe(false);
      expect(await workspaces.get('other')).toBeUndefined();
    });

    it('applies device matching in every process within 30 s', async () => {
      const other = await process();
      expect((await other.get('sandbox'))?.deviceMatching).toBe('anonymous');
      expect(await workspaces.setDeviceMatching('sandbox', 'all')).toBe(true);
      await workspaces.ensureSandbox(sandbox);
      expect(await workspaces.get('sandbox')).toEqual({ ...expected, deviceMatching: 'all' });
      time.now += 30_000;
      expect((await other.get('sandbox'))?.deviceMatching).toBe('all');
      expect(await workspaces.setDeviceMatching('other', 'all')).toBe(false);
    });

    it('has the chosen class, or the standard class', async () => {
      const made = await workspaces.create({ ws: 'acme', name: 'Acme', class: 'gold' });
      expect([made.class, (await workspaces.get('acme'))?.class]).toEqual(['gold', 'gold']);
      expect((await workspaces.create({ ws: 'plain', name: 'Plain' })).class).toBe('standard');
      await (
        await collections()
      ).workspaces.insertOne({ _id: 'old', name: 'Old', controllerId: 'c', createdAt: new Date(time.now) });
      expect((await workspaces.get('old'))?.class).toBe('standard');
      const other = await process();
      await other.get('sandbox');
      expect(await workspaces.setClass('sandbox', 'trial')).toBe(true);
      await workspaces.ensureSandbox(sandbox);
      expect((await workspaces.get('sandbox'))?.class).toBe('trial');
      time.now += 30_000;
      expect((await other.get('sandbox'))?.class).toBe('trial');
      expect(await workspaces.setClass('nobody', 'gold')).toBe(false);
      await expect(workspaces.setClass('acme', 'Acme Ltd')).rejects.toThrow(TypeError);
    });

    it('counts legal periods in UTC, without holidays, by the periods of the law, by default', async () => {
      const other = await process();
      expect((await other.get('sandbox'))?.legal).toEqual(DEFAULT_LEGAL_CALENDAR);
      const zone = await workspaces.setLegalCalendar('sandbox', { timeZone: 'Europe/Berlin', clockStart: 'received' });
      expect(zone?.legal).toEqual({ ...DEFAULT_LEGAL_CALENDAR, timeZone: 'Europe/Berlin', clockStart: 'received' });
      const holidays = ['2027-01-01', '2026-12-25', '2027-01-01'];
      await workspaces.setLegalCalendar('sandbox', { holidays, shorterDays: { gdpr: 14, ccpa: 30 } });
      const set = { ...zone?.legal, holidays: ['2026-12-25', '2027-01-01'], shorterDays: { gdpr: 14, ccpa: 30 } };
      await workspaces.ensureSandbox(sandbox);
      expect((await workspaces.get('sandbox'))?.legal).toEqual(set);
      time.now += 30_000;
      expect((await other.get('sandbox'))?.legal).toEqual(set);
      const back = await workspaces.setLegalCalendar('sandbox', { shorterDays: { gdpr: 'law' } });
      expect(back?.legal).toEqual({ ...set, shorterDays: { ccpa: 30 } });
      expect(await workspaces.setLegalCalendar('other', { timeZone: 'UTC' })).toBeUndefined();
    });

    it('never has a longer period than the law, nor a time zone or a holiday that does not exist', async () => {
      for (const wrong of [
        { shorterDays: { gdpr: 28 } },
        { shorterDays: { ccpa: 45 } },
        { timeZone: 'Europe/Atlantis' },
        { holidays: ['2026-02-29'] },
      ])
        await expect(workspaces.setLegalCalendar('sandbox', wrong)).rejects.toThrow(TypeError);
      expect((await workspaces.get('sandbox'))?.legal).toEqual(DEFAULT_LEGAL_CALENDAR);
    });

    it('creates the sandbox once, also by several processes at the same time', async () => {
      time.now += 1000;
      const others = await Promise.all(Array.from({ length: 5 }, () => process()));
      const second = { ...sandbox, ws: 'second', ...newCredential() };
      await Promise.all(others.flatMap((other) => [other.ensureSandbox(sandbox), other.ensureSandbox(second)]));
      const { workspaces: made, credentials } = await collections();
      expect(await made.find({}).toArray()).toHaveLength(2);
      expect(await credentials.find({}).toArray()).toHaveLength(2);
      expect(await (await process()).get('sandbox')).toEqual(expected);
    });

    it('applies a changed secret and controller of the sandbox at once', async () => {
      await workspaces.authenticate(key, secret, 'dsr');
      await workspaces.ensureSandbox({ ...sandbox, secret: 'another', controllerId: '7' });
      expect(await workspaces.authenticate(key, secret, 'dsr')).toBe('unknown');
      expect(await workspaces.authenticate(key, 'another', 'dsr')).toEqual({ ...expected, controllerId: '7' });
    });

    it('does not restore a revoked credential or take the key of another workspace', async () => {
      await (
        await collections()
      ).credentials.updateOne({ _id: key, ws: 'sandbox' }, { $set: { revokedAt: new Date(time.now) } });
      await workspaces.ensureSandbox(sandbox);
      expect(await workspaces.authenticate(key, secret, 'dsr')).toBe('unknown');
      await expect(workspaces.ensureSandbox({ ...sandbox, ws: 'thief' })).rejects.toThrow(
        /belongs to another workspace/,
      );
    });
  });
}
