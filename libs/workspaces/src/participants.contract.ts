import { createSecretKey, randomBytes } from 'node:crypto';
import type { RequestType } from '@opendsr-service/contracts';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import { MasterSeal } from '@opendsr-service/vault';
import { newCredential } from './new-credential';
import { Participants } from './participants';
import { builtInReportKey, waiverKey } from './report-keys';
import { collectionsOf } from './workspace-documents';
import { Workspaces } from './workspaces';

/** Rules of participants for each database; `create` returns an empty one. */
export function participantsContract(name: string, create: () => TestDatabase): void {
  describe(`participants on ${name}`, () => {
    const time = { now: Date.parse('2026-01-01T00:00:00Z') };
    const seal = new MasterSeal(createSecretKey(randomBytes(32)));
    const crm = {
      ws: 'acme',
      name: 'crm',
      domain: 'crm.example',
      types: ['access', 'erasure'],
      identityTypes: ['email'],
    } as const;
    let database: TestDatabase;
    let participants: Participants;
    const process = async () => new Participants(await database.open(), seal, () => time.now);
    const stored = async () => collectionsOf(await database.open()).participants;
    const namesOf = async (ws: string, type: RequestType) =>
      (await participants.participantsOf(ws, type)).map((one) => one.name);

    beforeEach(async () => {
      database = create();
      participants = await process();
      const workspaces = new Workspaces(await database.open(), createSecretKey(randomBytes(32)), seal, () => time.now);
      await workspaces.ready();
      for (const ws of ['acme', 'other'])
        await workspaces.ensureSandbox({ ws, controllerId: '1402', ...newCredential() });
    });
    afterEach(() => database.close());

    it('are results for access and portability, ingestion and then results for erasure', async () => {
      expect(await participants.participantsOf('acme', 'access')).toEqual([{ name: 'results' }]);
      expect(await participants.participantsOf('acme', 'portability')).toEqual([{ name: 'results' }]);
      expect(await participants.participantsOf('acme', 'erasure')).toEqual([
        { name: 'ingestion' },
        { name: 'results' },
      ]);
      await expect(participants.participantsOf('nobody', 'access')).rejects.toMatchObject({ name: 'UnknownWorkspace' });
    });

    it('are then outside ones by name, each for its types and in its workspace only', async () => {
      await participants.add({ ...crm, name: 'mail', types: ['erasure'] });
      await participants.add(crm);
      await participants.add({ ...crm, ws: 'other', name: 'billing' });
      expect(await participants.participantsOf('acme', 'erasure')).toEqual([
        { name: 'ingestion' },
        { name: 'results' },
        { name: 'crm', domain: 'crm.example' },
        { name: 'mail', domain: 'crm.example' },
      ]);
      expect(await namesOf('acme', 'access')).toEqual(['results', 'crm']);
      expect(await namesOf('acme', 'portability')).toEqual(['results']);
      expect(await namesOf('other', 'access')).toEqual(['results', 'billing']);
    });

    it('are listed without their secrets', async () => {
      await participants.add({ ws: 'acme', name: 'mail', domain: 'mail.example', types: ['access'] });
      await participants.add(crm);
      const createdAt = new Date(time.now);
      expect(await participants.list('acme')).toEqual([
        { ...crm, createdAt },
        { ws: 'acme', name: 'mail', domain: 'mail.example', types: ['access'], createdAt },
      ]);
      expect(await participants.list('other')).toEqual([]);
      const [first, second] = await participants.list('acme');
      await participants.add({ ...crm, ws: 'other' });
      expect(await participants.listAll(undefined, 1)).toEqual([first]);
      expect(await participants.listAll(first, 10)).toEqual([second, { ...crm, ws: 'other', createdAt }]);
    });

    it('have a 256-bit secret that no database stores in the clear', async () => {
      const { secret } = await participants.add(crm);
      expect(secret).toMatch(/^dsrp_[A-Za-z0-9_-]{43}$/);
      expect((await participants.add({ ...crm, name: 'mail' })).secret).not.toBe(secret);
      const documents = JSON.stringify(await (await stored()).find({ ws: 'acme' }).toArray());
      expect(documents).toContain('"sealed"');
      expect(documents).not.toContain(secret.slice(5));
    });

    it('are registered once under a name, also by several processes at the same time', async () => {
      const tries = await Promise.allSettled(Array.from({ length: 4 }, async () => (await process()).add(crm)));
      const secrets = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.secret] : []));
      expect(secrets).toHaveLength(1);
      expect(
        tries.filter((one) => one.status === 'rejected' && (one.reason as Error).name === 'NameTaken'),
      ).toHaveLength(3);
      expect((await participants.authenticate('acme', 'crm', String(secrets[0])))?.name).toBe('crm');
      await participants.add({ ...crm, ws: 'other' });
    });

    it('are registered in an existing workspace, with valid fields, and a hundred at most', async () => {
      await expect(participants.add({ ...crm, ws: 'nobody' })).rejects.toMatchObject({ name: 'UnknownWorkspace' });
      await expect(participants.add({ ...crm, name: 'results' })).rejects.toThrow(TypeError);
      await Promise.all(Array.from({ length: 100 }, (_, n) => participants.add({ ...crm, name: `crm${n}` })));
      await expect(participants.add(crm)).rejects.toMatchObject({ name: 'TooManyParticipants' });
      expect(await participants.list('acme')).toHaveLength(100);
    });

    it('prove themselves with their own secret, in their own workspace', async () => {
      const { secret } = await participants.add(crm);
      const mail = await participants.add({ ...crm, name: 'mail' });
      const other = await process();
      expect(await other.authenticate('acme', 'crm', secret)).toEqual({ ...crm, createdAt: new Date(time.now) });
      const wrong = [
        ['acme', 'crm', mail.secret],
        ['acme', 'crm', ''],
        ['acme', 'mail', secret],
        ['other', 'crm', secret],
        ['acme', 'erp', secret],
        ['acme', 'results', secret],
        ['acme', 'a:b', secret],
      ] as const;
      for (const [ws, who, given] of wrong) expect(await other.authenticate(ws, who, given)).toBeUndefined();
    });

    it('cost a look-up when the proof fails, whether they exist, are cached or not', async () => {
      const { secret } = await participants.add(crm);
      await participants.add({ ...crm, name: 'cold' });
      const connection = await database.open();
      const other = new Participants(connection, seal, () => time.now);
      expect(await other.authenticate('acme', 'crm', secret)).toBeDefined();
      const lookUps = jest.spyOn(connection.collection('participants'), 'findOne');
      for (const [n, who] of ['crm', 'cold', 'nobody'].entries()) {
        expect(await other.authenticate('acme', who, 'wrong')).toBeUndefined();
        expect(lookUps).toHaveBeenCalledTimes(n + 1);
      }
      lookUps.mockRestore();
    });

    it('sign with the text of their secret, our own with a key from the master key, the operator with another', async () => {
      const { secret } = await participants.add(crm);
      expect((await participants.reportKey('acme', 'crm'))?.export().toString()).toBe(secret);
      const results = await participants.reportKey('acme', 'results');
      expect(results?.equals(builtInReportKey(seal, 'results'))).toBe(true);
      const keys = [results, await participants.reportKey('acme', 'ingestion'), waiverKey(seal)].map((key) =>
        key?.export().toString('hex'),
      );
      expect(new Set(keys).size).toBe(3);
      for (const [ws, unknown] of [
        ['acme', 'erp'],
        ['other', 'crm'],
        ['acme', 'a:b'],
      ] as const)
        expect(await participants.reportKey(ws, unknown)).toBeUndefined();
    });

    it('cannot use a secret that was sealed for another name or workspace', async () => {
      await participants.add(crm);
      const document = (await (await stored()).findOne({ _id: 'acme:crm' }))?.sealed;
      await participants.add({ ...crm, name: 'mail' });
      await (await stored()).updateOne({ _id: 'acme:mail', ws: 'acme' }, { $set: { sealed: String(document) } });
      await expect(participants.reportKey('acme', 'mail')).rejects.toMatchObject({ kind: 'seal-broken' });
    });

    it('are neither served nor registered by a process with another master key', async () => {
      await participants.ready();
      const stranger = new Participants(
        await database.open(),
        new MasterSeal(createSecretKey(randomBytes(32))),
        () => time.now,
      );
      await expect(stranger.ready()).rejects.toMatchObject({ kind: 'master-key-wrong' });
      await expect(stranger.add(crm)).rejects.toMatchObject({ kind: 'master-key-wrong' });
      expect(await participants.list('acme')).toEqual([]);
    });

    it('end when they are removed, here at once, elsewhere within 30 s', async () => {
      const { secret } = await participants.add(crm);
      const other = await process();
      await other.reportKey('acme', 'crm');
      await participants.reportKey('acme', 'crm');
      expect(await participants.remove('other', 'crm')).toBe(false);
      expect(await participants.remove('acme', 'crm')).toBe(true);
      expect(await participants.remove('acme', 'crm')).toBe(false);
      expect(await namesOf('acme', 'erasure')).toEqual(['ingestion', 'results']);
      expect(await participants.reportKey('acme', 'crm')).toBeUndefined();
      time.now += 30_000;
      expect(await other.reportKey('acme', 'crm')).toBeUndefined();
      expect(await other.authenticate('acme', 'crm', secret)).toBeUndefined();
      const again = await participants.add(crm);
      expect((await participants.authenticate('acme', 'crm', again.secret))?.name).toBe('crm');
    });
  });
}
