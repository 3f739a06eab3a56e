import { randomBytes, randomUUID } from 'node:crypto';
import { tombstoneId, type KeyDestroyed, type ExportItem } from '@opendsr-service/contracts';
import { SwitchedPublisher, until } from '@opendsr-service/messaging/testing';
import { Faults, WRITES_BETWEEN_DEATHS } from '@opendsr-service/storage/testing';
import { Vault } from '@opendsr-service/vault';
import { LEASE_MS, type BuiltArchive } from '../archives/archive';
import { shownShare } from '../requests/shown-share.store';
import { interposed } from '../testing/interposed';
import { readZip } from '../testing/read-zip';
import { ReportsSeen } from '../testing/reports-seen';
import { storesOn } from '../database.config';
import { SECOND_PASS_MS, VALIDITY_MS, World } from '../testing/world';
import { ERASURE_LEASE_MS, type ErasureDocument } from './erasures.store';

const ERASED_KEPT_MS = 7 * 86_400_000;
/** A spec that crashes at every write is slow on a busy machine. */
const CRASHES_MS = 180_000;

/** Results' share of erasures, for any store. */
export function erasureContract(mongodbUri?: string): void {
  let world: World;
  let ann = '';
  let bob = '';
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  beforeEach(() => {
    [ann, bob] = [`ann-${randomUUID()}`, `bob-${randomUUID()}`];
  });
  afterAll(() => world.close());

  /** An export of these subjects with `kib` KiB of incompressible data. */
  const about = (subjects: readonly string[], kib = 8): ExportItem[] => {
    const batches = Array.from({ length: kib / 8 }, () => ({
      batch: `{"r":"${randomBytes(6_144).toString('base64')}"}`,
    }));
    return [
      { subjects },
      ...subjects.map((one) => ({ profile: `{"name":"${one}"}` })),
      ...batches,
      { end: { profiles: subjects.length, batches: batches.length, attributes: 1 } },
    ];
  };
  const start = (...subjects: string[]) => world.start(about(subjects));
  const built = async (...subjects: string[]) => {
    const srid = await start(...subjects);
    await world.worker.runOnce();
    return srid;
  };
  const archiveOf = async (srid: string) => await world.stores.archives.find('ws', srid);
  const profilesOf = async (srid: string) => {
    const answer = await world.open(srid);
    return Buffer.isBuffer(answer) ? (await readZip(answer)).get('profile.jsonl') : answer;
  };
  const reportsOf = (srid: string) => world.reports.srids.filter((one) => one === srid).length;
  const destroyedAtLast = () => world.reports.destroyed.at(-1);
  const drain = async (): Promise<void> => {
    for (let round = 0; round < 6; round += 1) {
      await world.erasure.runOnce();
      await world.worker.runOnce();
      world.parts.clock.advance(SECOND_PASS_MS);
    }
  };
  const leftOf = async (srid: string, kid: string | undefined) => ({
    chunks: (await world.chunkIds(srid)).length,
    entries: await world.subjectsOf(srid),
    key: kid !== undefined && (await world.parts.vault.key('ws', kid)) !== undefined,
    kid: (await archiveOf(srid))?.kid,
  });
  const nothing = { chunks: 0, entries: 0, key: false, kid: undefined };

  describe('an erasure', () => {
    it('wakes its poller, and that of an archive which it makes start again', async () => {
      const waits: string[] = [];
      const { erasures, archives } = world.stores;
      erasures.due.subscribe(() => waits.push('erasure'));
      await start(ann);
      const [claimed] = (await archives.claimDue(world.parts.clock.now(), 50)).slice(-1);
      const until = new Date(world.parts.clock.now().getTime() + LEASE_MS);
      await archives.begin(claimed as NonNullable<typeof claimed>, { build: 'b', kid: 'k' }, until);
      const begun = await archiveOf(claimed?.srid ?? '');
      archives.due.subscribe(() => waits.push('archive'));
      await archives.withdraw(begun as BuiltArchive, world.parts.clock.now());
      expect(waits).toEqual(['archive']);
      await world.erase(ann);
      expect(waits).toEqual(['archive', 'erasure']);
      await drain();
    });

    it('destroys exactly the archives that hold an erased subject, and is reported after the second pass', async () => {
      const [alone, both, other] = [await built(ann), await built(bob, ann), await built(bob)];
      await world.complete(both);
      const kids = [(await archiveOf(alone))?.kid, (await archiveOf(both))?.kid];
      const erasure = await world.erase(ann);
      await world.erasure.runOnce();
      expect([await world.open(alone), await world.open(both), await profilesOf(other)]).toEqual([
        410,
        410,
        `{"name":"${bob}"}\n`,
      ]);
      expect(reportsOf(erasure)).toBe(0);
      expect(await world.erasure.runOnce()).toBe(0);
      world.parts.clock.advance(SECOND_PASS_MS);
      await world.erasure.runOnce();
      expect(reportsOf(erasure)).toBe(1);
      expect(destroyedAtLast()).toEqual({
        ...{ archives: 2, keys: 2 },
        tombstones: expect.arrayContaining(kids.map((kid = '') => tombstoneId({ ws: 'ws', kid }))) as string[],
      });
      expect([await leftOf(alone, kids[0]), await leftOf(both, kids[1])]).toEqual([nothing, nothing]);

      expect((await shownShare(world.parts.connection, 'ws', erasure))?.erasure).toMatchObject({
        profiles: 1,
        passes: 1,
      });

      await world.complete(alone);
      await world.consumer.handleBatch([world.started(alone), world.reported(erasure, { erased: [ann] })]);
      await drain();
      expect([await world.open(alone), reportsOf(alone), reportsOf(erasure)]).toEqual([410, 1, 1]);
      world.parts.clock.advance(VALIDITY_MS);
      await world.sweep.runOnce();
      expect(await world.open(alone)).toBe(410);
    });

    it('affects no subject with the same prefix, and no other workspace', async () => {
      const other = await built(`${ann}x`);
      await world.erase(ann, 'ws', 'w');
      await drain();
      expect(await world.open(other)).toBeInstanceOf(Buffer);
    });

    it('is reported at once if no subject was erased', async () => {
      const erasure = await world.erase();
      await world.erasure.runOnce();
      expect(reportsOf(erasure)).toBe(1);
    });

    it('is reported if an older ingestion does not name the subjects', async () => {
      const erasure = randomUUID();
      expect(await world.consumer.handleBatch([world.reported(erasure, {})])).toEqual(['done']);
      await world.erasure.runOnce();
      expect(reportsOf(erasure)).toBe(1);
    });

    it('starts only after the completed report of ingestion', async () => {
      const reports = [
        { participant: 'crm', erased: [ann] },
        { status: 'failed' as const, erased: [ann] },
        { participant: 'results' },
      ];
      expect(await world.consumer.handleBatch(reports.map((change) => world.reported(randomUUID(), change)))).toEqual([
        'skip',
        'skip',
        'skip',
      ]);
      expect(await world.erasure.runOnce()).toBe(0);
    });

    it('destroys in the second pass what a builder wrote late', async () => {
      const srid = await built(ann);
      const { build = '', kid = '' } = (await archiveOf(srid)) ?? {};
      const key = await world.parts.vault.key('ws', kid);
      await world.erase(ann);
      await world.erasure.runOnce();
      if (key) await world.stores.chunks.write({ ws: 'ws', srid, build }, 7, key, Buffer.from('late'));
      world.parts.clock.advance(SECOND_PASS_MS);
      await world.erasure.runOnce();
      expect(await leftOf(srid, kid)).toEqual(nothing);
    });

    it('keeps the outstanding report of an archive', async () => {
      const srid = await start(ann);
      const away = new SwitchedPublisher(world.reports);
      away.away = true;
      await world.builder({ seen: away }).runOnce();
      expect([(await archiveOf(srid))?.state, reportsOf(srid)]).toEqual(['ready', 0]);
      await world.erase(ann);
      await drain();
      expect([await world.open(srid), reportsOf(srid)]).toEqual([410, 1]);
    });

    it('keeps its claim while one step takes longer than the lease', async () => {
      const srid = await built(ann);
      const erasure = await world.erase(ann);
      const { clock, connection } = world.parts;
      const stored = connection.collection<ErasureDocument>('erasures');
      let rivals = -1;
      const stores = interposed(world.stores, { verb: 'withdraw', is: 'before' }, async () => {
        for (let halves = 0; halves < 2; halves += 1) {
          clock.advance(ERASURE_LEASE_MS / 2);
          const dueAt = new Date(clock.now().getTime() + ERASURE_LEASE_MS);
          await until(async () => (await stored.findOne({ ws: 'ws', srid: erasure, dueAt })) !== null);
        }
        rivals = (await world.stores.erasures.claimDue(clock.now(), 50)).length;
      });
      await world.eraser(stores, world.parts, world.reports, 1).runOnce();
      expect([rivals, await world.open(srid), await stored.findOne({ ws: 'ws', srid: erasure })]).toMatchObject([
        0,
        410,
        { passes: 1 },
      ]);
      await drain();
      expect(reportsOf(erasure)).toBe(1);
    });

    it('waits while tombstones cannot be published, and destroys nothing before', async () => {
      const srid = await built(ann);
      const kid = (await archiveOf(srid))?.kid;
      const erasure = await world.erase(ann);
      world.parts.tombstones.away = true;
      await drain();
      expect([reportsOf(erasure), (await leftOf(srid, kid)).key, await world.open(srid)]).toEqual([0, true, 410]);
      world.parts.tombstones.away = false;
      world.parts.clock.advance(3_600_000);
      await drain();
      expect([reportsOf(erasure), await leftOf(srid, kid)]).toEqual([1, nothing]);
    });

    it(
      'continues after a crash at any of its writes',
      async () => {
        const { clock, connection, storage, masterKey, events } = world.parts;
        const faults = new Faults();
        let crashes = 0;
        for (let write = 1; ; write += WRITES_BETWEEN_DEATHS) {
          const person = randomUUID();
          const srid = await built(person);
          const kid = (await archiveOf(srid))?.kid;
          const erasure = await world.erase(person);
          const vault = new Vault(
            faults.connection(await storage.database('keys')),
            masterKey,
            () => clock.now().getTime(),
            { tombstones: events.publisher },
          );
          const dying = world.eraser(
            storesOn(faults.connection(connection)),
            { ...world.parts, vault },
            new ReportsSeen(faults),
          );
          faults.dieAt(write);
          for (let round = 0; round < 2; round += 1) {
            await dying.runOnce().catch(() => undefined);
            clock.advance(SECOND_PASS_MS);
          }
          const survived = !faults.dead;
          faults.dieAt(Infinity);
          await drain();
          expect({ write, ...(await leftOf(srid, kid)), link: await world.open(srid) }).toEqual({
            write,
            ...nothing,
            link: 410,
          });
          if (survived) break;
          expect([reportsOf(erasure), destroyedAtLast()]).toMatchObject([1, { archives: 1, keys: 1 }]);
          crashes += 1;
        }
        // Claim, subjects, withdrawn, key noted, key, chunks, build, passed; claim, subjects, chunks, entries, report, done.
        expect(crashes).toBe(Math.ceil(14 / WRITES_BETWEEN_DEATHS));
      },
      CRASHES_MS,
    );

    it('is stored as long as an earlier build may run, and then swept', async () => {
      await world.erase(ann);
      await drain();
      world.parts.clock.advance(ERASED_KEPT_MS - 6 * SECOND_PASS_MS - 1);
      await world.sweep.runOnce();
      expect(await world.stores.erasedSubjects.hasAny('ws', [bob, ann])).toBe(true);
      world.parts.clock.advance(6 * SECOND_PASS_MS + 1);
      await world.sweep.runOnce();
      expect(await world.stores.erasedSubjects.hasAny('ws', [bob, ann])).toBe(false);
    });
  });

  describe('an erasure while an archive is built', () => {
    const moments = (['begin', 'add', 'hasAny', 'write', 'markBuilt'] as const).flatMap((verb) => [
      ['before', verb] as const,
      ['after', verb] as const,
    ]);

    it.each(moments)(
      'lets no archive of the subject outlive it, when it comes %s the builder’s %s',
      async (is, verb) => {
        const srid = await world.start(about([ann, bob], 640));
        let early: string | undefined;
        let erasure = '';
        const stores = interposed(world.stores, { verb, is }, async () => {
          // Ingestion has erased the subject, so later exports do not contain it.
          world.source.exports.set(srid, about([bob]));
          early = (await archiveOf(srid))?.kid;
          erasure = await world.erase(ann);
          await world.erasure.runOnce();
        });
        await world.builder(stores).runOnce();
        world.parts.clock.advance(LEASE_MS);
        await drain();
        const archive = await archiveOf(srid);
        const finished = is === 'after' && verb === 'markBuilt';
        expect({ link: await profilesOf(srid), reports: [reportsOf(srid), reportsOf(erasure)] }).toEqual({
          link: finished ? 410 : `{"name":"${bob}"}\n`,
          reports: [1, 1],
        });
        expect(archive?.kid).not.toBe(early ?? 'none');
        if (early !== undefined) expect(await world.parts.vault.key('ws', early)).toBeUndefined();
        expect((await world.chunkIds(srid)).every((id) => id.includes(archive?.build ?? 'none'))).toBe(true);
        expect(await world.subjectsOf(srid)).toBe(finished ? 0 : 1);
      },
    );

    it('restarts the build under another claim, and the first builder stops', async () => {
      const srid = await world.start(about([ann, bob], 640));
      const seen = new ReportsSeen();
      const stores = interposed(world.stores, { verb: 'write', is: 'before' }, async () => {
        world.source.exports.set(srid, about([bob]));
        await world.erase(ann);
        await world.erasure.runOnce();
        await world.worker.runOnce();
      });
      await world.builder({ ...stores, seen }).runOnce();
      expect([seen.srids, reportsOf(srid), await profilesOf(srid)]).toEqual([[], 1, `{"name":"${bob}"}\n`]);
      await drain();
      expect(await profilesOf(srid)).toBe(`{"name":"${bob}"}\n`);
    });

    it('withdraws an archive that is finished between its read and its write', async () => {
      const srid = await start(ann);
      let finish = (): void => undefined;
      const mayFinish = new Promise<void>((resolve) => (finish = resolve));
      let arrive = (): void => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      const building = world
        .builder(interposed(world.stores, { verb: 'markBuilt', is: 'before' }, () => (arrive(), mayFinish)))
        .runOnce();
      await arrived;
      await world.erase(ann);
      const stores = interposed(world.stores, { verb: 'withdraw', is: 'before' }, async () => {
        finish();
        await building;
      });
      await world.eraser(stores).runOnce();
      expect(await world.open(srid)).toBe(410);
      await drain();
      expect([await leftOf(srid, undefined), reportsOf(srid)]).toEqual([nothing, 1]);
    });

    it('delays a builder whose export still holds the subject', async () => {
      await world.erase(ann);
      await drain();
      const srid = await built(ann);
      expect([await world.open(srid), await world.chunkIds(srid), reportsOf(srid)]).toEqual([404, [], 0]);
      world.source.exports.set(srid, about([bob]));
      world.parts.clock.advance(1_000);
      await world.worker.runOnce();
      expect([await profilesOf(srid), await world.subjectsOf(srid), reportsOf(srid)]).toEqual([
        `{"name":"${bob}"}\n`,
        1,
        1,
      ]);
    });
  });

  describe('a restored older copy', () => {
    const tombstone = (kid = '', scope: KeyDestroyed['scope'] = 'archive'): KeyDestroyed => ({
      type: 'KeyDestroyed',
      id: randomUUID(),
      ws: 'ws',
      kid,
      scope,
      at: '2026-11-21T09:00:00.000Z',
    });

    it('loses the archives whose keys were destroyed since, and no other', async () => {
      const [gone, kept, otherScope] = [await built(ann), await built(bob), await built(bob)];
      const kids = await Promise.all([gone, kept, otherScope].map(async (srid) => (await archiveOf(srid))?.kid));
      await world.withdrawal.replay([tombstone(kids[0]), tombstone(kids[2], 'subject'), tombstone('unknown')]);
      expect([
        await world.open(gone),
        await world.chunkIds(gone),
        await world.subjectsOf(gone),
        (await archiveOf(gone))?.kid,
      ]).toEqual([410, [], 0, undefined]);
      expect([await world.open(kept), await world.open(otherScope)]).toEqual([expect.any(Buffer), expect.any(Buffer)]);
      await world.withdrawal.replay([tombstone(kids[0])]);
    });

    it('restarts a build whose key is destroyed', async () => {
      const srid = await world.start(about([ann], 640));
      world.source.breaks = true;
      await world.worker.runOnce();
      world.source.breaks = false;
      const before = await archiveOf(srid);
      await world.withdrawal.replay([tombstone(before?.kid)]);
      expect([await world.chunkIds(srid), (await archiveOf(srid))?.kid]).toEqual([[], undefined]);
      await world.worker.runOnce();
      expect([await profilesOf(srid), reportsOf(srid)]).toEqual([`{"name":"${ann}"}\n`, 1]);
    });
  });
}
