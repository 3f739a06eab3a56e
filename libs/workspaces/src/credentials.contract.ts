import type { TestDatabase } from '@opendsr-service/storage/testing';
import { createSecretKey, randomBytes } from 'node:crypto';
import { DEFAULT_LEGAL_CALENDAR } from '@opendsr-service/contracts';
import { MasterSeal } from '@opendsr-service/vault';
import { ROTATED_ALONE_MS, type Credentials } from './credentials';
import { newCredential } from './new-credential';
import { collectionsOf, SCOPES, type CredentialDocument, type Scope } from './workspace-documents';
import type { Workspace } from './workspace';
import { Workspaces } from './workspaces';

const DAY_MS = 86_400_000;

/** Rules of workspaces and keys of the operator, for each database; `create` returns an empty one. */
export function credentialsContract(name: string, create: () => TestDatabase): void {
  describe(`keys on ${name}`, () => {
    const start = Date.parse('2026-01-01T00:00:00Z');
    const time = { now: start };
    const credentialKey = createSecretKey(randomBytes(32));
    const seal = new MasterSeal(createSecretKey(randomBytes(32)));
    let database: TestDatabase;
    let operator: Workspaces;
    let keys: Credentials;
    let acme: Workspace;
    const process = async () => new Workspaces(await database.open(), credentialKey, seal, () => time.now);
    const after = (ms: number) => new Date(time.now + ms);
    const stored = async () => collectionsOf(await database.open());
    const answers = (who: Workspaces, { key, secret }: { key: string; secret: string }, scope: Scope = 'dsr') =>
      who.authenticate(key, secret, scope);
    const secretOf = async (who: Workspaces, key: string) => {
      const { secret, workspace } = await who.signer(key, 'ingest');
      return (await workspace()) && secret;
    };
    const insert = async (count: number, more: Partial<CredentialDocument>) => {
      const made = Array.from({ length: count }, () => ({
        _id: newCredential().key,
        ws: 'acme',
        hash: '',
        scopes: ['dsr' as const],
        createdAt: new Date(time.now),
        ...more,
      }));
      await (await stored()).credentials.insertMany(made);
    };

    beforeEach(async () => {
      time.now = start;
      database = create();
      operator = await process();
      await operator.ready();
      keys = operator.credentials;
      acme = await operator.create({ ws: 'acme', name: 'Acme' });
    });
    afterEach(() => database.close());

    it('belong to a workspace with an id, a name and a controller id, which is random if absent', async () => {
      expect(acme).toEqual({
        ws: 'acme',
        name: 'Acme',
        controllerId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        afterErasure: 'accept',
        deviceMatching: 'anonymous',
        legal: DEFAULT_LEGAL_CALENDAR,
        class: 'standard',
        createdAt: new Date(start),
      });
      const other = await operator.create({ ws: 'other', name: 'Other', controllerId: '1402' });
      expect(other.controllerId).toBe('1402');
      for (const made of [acme, other]) expect(await (await process()).get(made.ws)).toEqual(made);
      await expect(operator.create({ ws: 'a:b', name: 'Third' })).rejects.toThrow(TypeError);
    });

    it('belong to a workspace with a unique id and name', async () => {
      await expect(operator.create({ ws: 'acme', name: 'Other' })).rejects.toMatchObject({ name: 'WorkspaceTaken' });
      await expect(operator.create({ ws: 'other', name: 'Acme' })).rejects.toMatchObject({ name: 'WorkspaceTaken' });
      const tries = await Promise.allSettled(
        Array.from({ length: 4 }, async (_, n) => (await process()).create({ ws: 'raced', name: `Raced ${n}` })),
      );
      expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
      expect(await (await process()).list()).toEqual([acme, await operator.get('raced')]);
    });

    it('belong to workspaces that are listed by id, in pages', async () => {
      for (const ws of ['zeta', 'beta']) await operator.create({ ws, name: ws });
      const idsAfter = async (last?: string) => (await operator.list(last)).map(({ ws }) => ws);
      expect(await idsAfter()).toEqual(['acme', 'beta', 'zeta']);
      expect(await idsAfter('acme')).toEqual(['beta', 'zeta']);
      expect(await idsAfter('zeta')).toEqual([]);
    });

    it('admit to their workspace and scopes in every process at once, several at a time', async () => {
      const replica = await process();
      const both = await keys.createKey('acme', { scopes: SCOPES });
      const ingest = await keys.createKey('acme', { scopes: ['ingest'] });
      const dsr = await keys.createKey('acme', { scopes: ['dsr'] });
      expect([await answers(replica, both), await answers(replica, both, 'ingest')]).toEqual([acme, acme]);
      expect([await answers(replica, ingest), await answers(replica, ingest, 'ingest')]).toEqual(['forbidden', acme]);
      expect([await answers(replica, dsr), await answers(replica, dsr, 'ingest')]).toEqual([acme, 'forbidden']);
      expect(await answers(replica, { ...both, secret: dsr.secret })).toBe('unknown');
    });

    it('are stored as a keyed hash, and under the master key only if they verify HMACs', async () => {
      const dsr = await keys.createKey('acme', { scopes: ['dsr'] });
      const ingest = await keys.createKey('acme', { scopes: ['ingest'] });
      const documents = await (await stored()).credentials.find({ ws: 'acme' }).toArray();
      for (const { secret } of [dsr, ingest]) {
        expect(secret).toMatch(/^dsrs_[A-Za-z0-9_-]{43}$/);
        expect(JSON.stringify(documents)).not.toContain(secret.slice(5));
      }
      expect(
        documents.map(({ _id, hash, sealed }) => [_id === ingest.key, hash.length, sealed !== undefined]).sort(),
      ).toEqual([
        [false, 43, false],
        [true, 43, true],
      ]);
      const replica = await process();
      expect([await secretOf(replica, ingest.key), await secretOf(replica, dsr.key)]).toEqual([
        ingest.secret,
        undefined,
      ]);
    });

    it('end at their expiry in every process, cached or not', async () => {
      const [one, two] = [await process(), await process()];
      const made = await keys.createKey('acme', { scopes: SCOPES, expiresAt: after(7_000) });
      time.now += 6_999;
      for (const replica of [one, two]) expect(await answers(replica, made)).toEqual(acme);
      time.now += 1;
      for (const replica of [one, two])
        expect([
          await answers(replica, made),
          await replica.authenticateKey(made.key, 'ingest'),
          await secretOf(replica, made.key),
        ]).toEqual(['unknown', 'unknown', undefined]);
    });

    it('are refused like unknown keys, within 30 s of their revocation in every process, and stay refused', async () => {
      const [warm, cold] = [await process(), await process()];
      const made = await keys.createKey('acme', { scopes: SCOPES });
      expect(await answers(warm, made)).toEqual(acme);
      expect(await keys.revokeKey(made.key)).toBe(true);
      expect(await answers(cold, made)).toBe('unknown');
      time.now += 29_999;
      expect(await answers(warm, made)).toEqual(acme);
      time.now += 1;
      for (const replica of [warm, cold])
        expect([
          await answers(replica, made),
          await answers(replica, made, 'ingest'),
          await secretOf(replica, made.key),
        ]).toEqual(['unknown', 'unknown', undefined]);
      expect(await keys.revokeKey('dsrk_none')).toBe(false);
    });

    it('keep the time of the first revocation, and are revoked for a process with a slow clock too', async () => {
      const made = await keys.createKey('acme', { scopes: ['dsr'] });
      time.now += 1_000;
      await keys.revokeKey(made.key);
      time.now += 1_000;
      expect(await keys.revokeKey(made.key)).toBe(true);
      expect((await keys.keys('acme')).map(({ revokedAt }) => revokedAt)).toEqual([new Date(start + 1_000)]);
      time.now = start;
      expect(await answers(await process(), made)).toBe('unknown');
    });

    it('are known within 5 s if they were tried before they existed', async () => {
      const replica = await process();
      const made = await keys.createKey('acme', { scopes: ['dsr'] });
      const { credentials } = await stored();
      const document = (await credentials.findOne({ _id: made.key })) as CredentialDocument;
      await credentials.deleteOne({ _id: made.key, ws: 'acme' });
      expect(await answers(replica, made)).toBe('unknown');
      await credentials.insertOne(document);
      time.now += 5_000;
      expect(await answers(replica, made)).toEqual(acme);
    });

    it('are rotated without a gap: old and new are valid for the overlap, then only the new one', async () => {
      const [warm, cold] = [await process(), await process()];
      const old = await keys.createKey('acme', { scopes: ['ingest'] });
      expect(await answers(warm, old, 'ingest')).toEqual(acme);
      const made = await keys.rotateKey(old.key, { overlapMs: 30_000, expiresAt: after(DAY_MS) });
      expect(made).toEqual({
        key: expect.any(String) as string,
        secret: expect.any(String) as string,
        ws: 'acme',
        scopes: ['ingest'],
        oldExpiresAt: after(30_000),
      });
      time.now += 29_999;
      for (const replica of [warm, cold])
        expect([
          await answers(replica, old, 'ingest'),
          await answers(replica, made, 'ingest'),
          await answers(replica, made),
        ]).toEqual([acme, acme, 'forbidden']);
      time.now += 1;
      for (const replica of [warm, cold])
        expect([await answers(replica, old, 'ingest'), await answers(replica, made, 'ingest')]).toEqual([
          'unknown',
          acme,
        ]);
      time.now = start + DAY_MS;
      expect(await answers(warm, made, 'ingest')).toBe('unknown');
    });

    it('are never extended by a rotation', async () => {
      const old = await keys.createKey('acme', { scopes: ['dsr'], expiresAt: after(60_000) });
      expect((await keys.rotateKey(old.key, { overlapMs: DAY_MS })).oldExpiresAt).toEqual(after(60_000));
      expect((await keys.keys('acme')).map(({ expiresAt }) => expiresAt)).toContainEqual(after(60_000));
    });

    it('are rotated only while active, with an overlap that every process knows in time', async () => {
      const old = await keys.createKey('acme', { scopes: ['dsr'], expiresAt: after(1_000) });
      await expect(keys.rotateKey('dsrk_none', { overlapMs: DAY_MS })).rejects.toMatchObject({ name: 'UnknownKey' });
      for (const overlapMs of [29_999, NaN])
        await expect(keys.rotateKey(old.key, { overlapMs })).rejects.toThrow(TypeError);
      time.now += 1_000;
      await expect(keys.rotateKey(old.key, { overlapMs: DAY_MS })).rejects.toMatchObject({ name: 'KeyEnded' });
      expect(await keys.keys('acme')).toHaveLength(1);
    });

    it('are rotated by one of several who do so at once, and again later', async () => {
      const others = await Promise.all([process(), process(), process()]);
      const old = await keys.createKey('acme', { scopes: ['dsr'] });
      const rotate = (by: Credentials) => by.rotateKey(old.key, { overlapMs: DAY_MS });
      const tries = await Promise.allSettled(others.map(({ credentials }) => rotate(credentials)));
      expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
      const refused = tries.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).name] : []));
      expect([refused, (await keys.keys('acme')).length]).toEqual([['KeyRotated', 'KeyRotated'], 2]);
      time.now += ROTATED_ALONE_MS - 1;
      await expect(rotate(keys)).rejects.toMatchObject({ name: 'KeyRotated' });
      time.now += 1;
      expect(await rotate(keys)).toMatchObject({ oldExpiresAt: new Date(start + DAY_MS) });
    });

    it('are rotated at once after a rotation that failed', async () => {
      const old = await keys.createKey('acme', { scopes: ['dsr'] });
      const rotate = (expiresAt?: Date) =>
        keys.rotateKey(old.key, { overlapMs: DAY_MS, ...(expiresAt && { expiresAt }) });
      await expect(rotate(new Date(start))).rejects.toThrow(TypeError);
      expect(await rotate()).toMatchObject({ oldExpiresAt: after(DAY_MS) });
    });

    /** The credentials of a process that marks a key as rotated, and then finds the store away once. */
    async function whoseSecondUpdateFails() {
      const connection = await database.open();
      const { credentials } = collectionsOf(connection);
      const update = credentials.updateOne.bind(credentials);
      jest.spyOn(credentials, 'updateOne').mockImplementationOnce(update).mockRejectedValueOnce(new Error('away'));
      return new Workspaces(connection, credentialKey, seal, () => time.now).credentials;
    }

    it('say why a rotation failed, also where the next one has to wait', async () => {
      const by = await whoseSecondUpdateFails();
      const old = await keys.createKey('acme', { scopes: ['dsr'] });
      const rotate = (expiresAt?: Date) =>
        by.rotateKey(old.key, { overlapMs: DAY_MS, ...(expiresAt && { expiresAt }) });
      await expect(rotate(new Date(start))).rejects.toThrow(TypeError);
      await expect(rotate()).rejects.toThrow(/less than 30 s ago.*rotate it 30 s later/);
      time.now += ROTATED_ALONE_MS;
      expect(await rotate()).toMatchObject({ oldExpiresAt: after(DAY_MS) });
    });

    it('leave no successor where the old one could not be given an end, and may be rotated at once', async () => {
      const by = await whoseSecondUpdateFails();
      const old = await keys.createKey('acme', { scopes: ['dsr'] });
      await expect(by.rotateKey(old.key, { overlapMs: DAY_MS })).rejects.toThrow('away');
      expect((await keys.keys('acme')).filter(({ state }) => state === 'active').map(({ key }) => key)).toEqual([
        old.key,
      ]);
      expect(await by.rotateKey(old.key, { overlapMs: DAY_MS })).toMatchObject({ oldExpiresAt: after(DAY_MS) });
    });

    it('are revoked, also during a rotation', async () => {
      const other = (await process()).credentials;
      const old = await keys.createKey('acme', { scopes: ['dsr'] });
      const [rotated] = await Promise.allSettled([
        keys.rotateKey(old.key, { overlapMs: DAY_MS }),
        other.revokeKey(old.key),
      ]);
      const states = (await keys.keys('acme')).map(({ key, state }) => [key, state]);
      expect(states).toEqual([
        ...(rotated.status === 'fulfilled' ? [[rotated.value.key, 'active']] : []),
        [old.key, 'revoked'],
      ]);
    });

    it('are at most a hundred active ones in a workspace', async () => {
      await insert(40, { revokedAt: new Date(start) });
      await insert(40, { expiresAt: new Date(start) });
      await insert(99, {});
      await operator.create({ ws: 'other', name: 'Other' });
      const last = await keys.createKey('acme', { scopes: ['dsr'], expiresAt: after(1_000) });
      for (const more of [
        () => keys.createKey('acme', { scopes: ['dsr'] }),
        () => keys.rotateKey(last.key, { overlapMs: DAY_MS }),
      ])
        await expect(more()).rejects.toMatchObject({ name: 'TooManyKeys' });
      await keys.createKey('other', { scopes: ['dsr'] });
      time.now += 1_000;
      await keys.createKey('acme', { scopes: ['dsr'] });
    });

    it('are created for an existing workspace, existing scopes and a future expiry', async () => {
      await expect(keys.createKey('nobody', { scopes: ['dsr'] })).rejects.toMatchObject({ name: 'UnknownWorkspace' });
      for (const scopes of [[], ['dsr', 'dsr'], ['all' as 'dsr']] as const)
        await expect(keys.createKey('acme', { scopes })).rejects.toThrow(TypeError);
      for (const expiresAt of [after(0), new Date(NaN)])
        await expect(keys.createKey('acme', { scopes: ['dsr'], expiresAt })).rejects.toThrow(TypeError);
      expect(await keys.keys('acme')).toEqual([]);
    });

    it('are listed, active ones first, without secrets and without those of other workspaces', async () => {
      const ended = await keys.createKey('acme', { scopes: ['dsr'] });
      await keys.revokeKey(ended.key);
      time.now += 1_000;
      const expired = await keys.createKey('acme', { scopes: ['dsr'], expiresAt: after(1_000) });
      time.now += 1_000;
      const active = await keys.createKey('acme', { scopes: SCOPES, expiresAt: after(DAY_MS) });
      await operator.create({ ws: 'other', name: 'Other' });
      await keys.createKey('other', { scopes: ['dsr'] });
      expect(await keys.keys('acme')).toEqual([
        {
          key: active.key,
          ws: 'acme',
          scopes: ['dsr', 'ingest'],
          state: 'active',
          createdAt: after(0),
          expiresAt: after(DAY_MS),
        },
        {
          key: expired.key,
          ws: 'acme',
          scopes: ['dsr'],
          state: 'expired',
          createdAt: after(-1_000),
          expiresAt: after(0),
        },
        {
          key: ended.key,
          ws: 'acme',
          scopes: ['dsr'],
          state: 'revoked',
          createdAt: after(-2_000),
          revokedAt: after(-2_000),
        },
      ]);
      await insert(100, { revokedAt: new Date(time.now), createdAt: after(1_000) });
      expect(
        (await keys.keys('acme')).filter(({ state }) => state !== 'active').map(({ createdAt }) => createdAt),
      ).toEqual(Array.from({ length: 100 }, () => after(1_000)));
      await expect(keys.keys('nobody')).rejects.toMatchObject({ name: 'UnknownWorkspace' });
    });
  });
}
