import { randomBytes, randomUUID } from 'node:crypto';
import type { ExportItem } from '@opendsr-service/contracts';
import { Vault } from '@opendsr-service/vault';
import type { ExportSource } from '../export/export-source';
import { Faults, WRITES_BETWEEN_DEATHS } from '@opendsr-service/storage/testing';
import { interposed } from '../testing/interposed';
import { readZip } from '../testing/read-zip';
import { ReportsSeen } from '../testing/reports-seen';
import { storesOn } from '../database.config';
import { VALIDITY_MS, World } from '../testing/world';
import { LEASE_MS, UNCOMPLETED_KEPT_MS } from './archive';
import type { ChunksStore } from './chunks.store';

/** The life cycle of an archive, for any store. */
export function archivesContract(mongodbUri?: string): void {
  let world: World;
  beforeAll(async () => {
    world = await World.open(mongodbUri);
  });
  afterAll(() => world.close());

  /** Incompressible batches of about `kib` KiB. */
  const exportOf = (kib: number, text = ''): ExportItem[] => {
    const batches = Array.from({ length: kib / 8 }, () => ({
      batch: `{"r":"${randomBytes(6_144).toString('base64')}"}`,
    }));
    return [
      { subjects: [randomUUID()] },
      { profile: `{"id":1,"text":"${text}"}` },
      ...batches,
      { end: { profiles: 1, batches: batches.length, attributes: 1 } },
    ];
  };
  const linesOf = (items: readonly ExportItem[]) =>
    items.flatMap((item) => ('batch' in item ? [`${item.batch}\n`] : [])).join('');

  describe('building an archive', () => {
    it('stores the export as a zip for the link, and then reports', async () => {
      const items = exportOf(1_024, 'planted-person@example.com');
      const srid = await world.start(items);
      expect(await world.open(srid)).toBe(404);
      await world.worker.runOnce();
      expect(world.reports.srids.filter((one) => one === srid)).toHaveLength(1);
      const files = await readZip((await world.open(srid)) as Buffer);
      expect(files.get('profile.jsonl')).toBe('{"id":1,"text":"planted-person@example.com"}\n');
      expect(files.get('events-001.jsonl')).toBe(linesOf(items));
      expect((await world.chunkIds(srid)).length).toBeGreaterThan(2);
      expect(world.filesHolding(['planted-person@example.com', 'profile.jsonl', 'manifest.json'])).toEqual([]);
    });

    it('stores nothing if no profile matches, and reports that as well', async () => {
      const srid = await world.start();
      await world.worker.runOnce();
      expect(world.reports.srids).toContain(srid);
      expect(await world.open(srid)).toBe(404);
      expect(await world.chunkIds(srid)).toEqual([]);
    });

    it('is ordered once in spite of repeated events, and never for an erasure or without results as participant', async () => {
      const srid = await world.start(exportOf(8));
      await world.worker.runOnce();
      const before = await world.open(srid);
      expect(await world.consumer.handleBatch([world.started(srid)])).toEqual(['done']);
      await world.worker.runOnce();
      expect(world.reports.srids.filter((one) => one === srid)).toHaveLength(1);
      expect(await world.open(srid)).toEqual(before);
      const none = [
        world.started(randomUUID(), { type: 'erasure' }),
        world.started(randomUUID(), { participants: ['ingestion'] }),
      ];
      expect(await world.consumer.handleBatch(none)).toEqual(['skip', 'skip']);
      expect(await world.consumer.handleBatch([world.started(randomUUID(), { type: 'portability' })])).toEqual([
        'done',
      ]);
      await world.worker.runOnce();
    });

    it('empty ones share a write, also with one whose completion is known, which keeps its expiry', async () => {
      const { archives } = world.stores;
      const srids = [await world.start(), await world.start(), await world.start()];
      const claimed = (await archives.claimDue(world.parts.clock.now(), 50)).filter(({ srid }) => srids.includes(srid));
      const writing = jest.spyOn(world.parts.connection.collection('archives'), 'bulkWrite');
      const [now, later] = [world.parts.clock.now(), new Date(world.parts.clock.now().getTime() + 1_000)];
      await Promise.all(claimed.slice(1).map((archive, n) => archives.markEmpty(archive, n === 0 ? later : now)));
      expect(writing).toHaveBeenCalledTimes(1);
      await world.complete(claimed[0]?.srid ?? '');
      writing.mockClear();
      await archives.markEmpty(claimed[0] as (typeof claimed)[0], now);
      expect(writing).toHaveBeenCalledTimes(2);
      writing.mockRestore();
      const [known, ...others] = await Promise.all(claimed.map(({ srid }) => archives.find('ws', srid)));
      const sweepAt = new Date(later.getTime() + UNCOMPLETED_KEPT_MS);
      expect(others).toMatchObject(Array(2).fill({ state: 'empty', matched: 0, builtAt: later, sweepAt }));
      expect(known).toMatchObject({ state: 'empty', builtAt: now, sweepAt: new Date(now.getTime() + VALIDITY_MS) });
      for (const archive of [known, ...others]) expect(archive).not.toHaveProperty('token');
      await archives.reschedule(claimed[1] as (typeof claimed)[0], now);
      expect(await archives.find('ws', claimed[1]?.srid ?? '')).toMatchObject({ state: 'empty', tries: 0 });
    });

    it('restarts if an older copy lacks the archive and its link is valid, with the original expiry', async () => {
      const srid = await world.start(exportOf(8));
      await world.worker.runOnce();
      const [started, completed] = [world.started(srid), world.completed(srid)];
      await world.consumer.handleBatch([completed]);
      await world.parts.connection.collection('archives').deleteMany({ ws: 'ws', srid });
      world.parts.clock.advance(VALIDITY_MS - 1_000);
      expect(await world.consumer.handleBatch([started, completed])).toEqual(['done', 'done']);
      await world.worker.runOnce();
      expect(await world.open(srid)).toBeInstanceOf(Buffer);
      expect(world.reports.srids.filter((one) => one === srid)).toHaveLength(2);
      world.parts.clock.advance(1_000);
      expect(await world.open(srid)).toBe(410);
    });

    it('is cancelled if the replayed log completes an expired request, else delayed', async () => {
      const over: string = randomUUID();
      const open: string = randomUUID();
      const records = [world.started(over), world.started(open), world.completed(over)];
      world.parts.clock.advance(VALIDITY_MS);
      expect(await world.consumer.handleBatch(records.slice(0, 2))).toEqual(['done', 'done']);
      expect(await world.worker.runOnce()).toBe(0);
      expect(await world.consumer.handleBatch(records.slice(2))).toEqual(['done']);
      expect(await world.open(over)).toBe(410);
      world.parts.clock.advance(10 * 60_000);
      expect(await world.worker.runOnce()).toBe(1);
      expect(world.reports.srids.filter((one) => [over, open].includes(one))).toEqual([open]);
      const kept = await world.stores.archives.find('ws', over);
      expect(Object.keys(kept ?? {}).sort()).toEqual([
        '_id',
        'completedAt',
        'expiresAt',
        'srid',
        'state',
        'tries',
        'ws',
      ]);
      // Again, as after any restore.
      await world.consumer.handleBatch(records);
      expect(await world.worker.runOnce()).toBe(0);
    });

    it('waits longer each time while ingestion is away, and restarts without previous chunks', async () => {
      const srid = await world.start(exportOf(1_024));
      world.source.breaks = true;
      await world.worker.runOnce();
      const broken = await world.chunkIds(srid);
      expect(broken.length).toBeGreaterThan(0);
      expect(await world.worker.runOnce()).toBe(0);
      world.parts.clock.advance(1_000);
      expect(await world.worker.runOnce()).toBe(1);
      world.parts.clock.advance(1_000);
      expect(await world.worker.runOnce()).toBe(0);
      world.source.breaks = false;
      world.parts.clock.advance(1_000);
      await world.worker.runOnce();
      expect(await world.open(srid)).toBeInstanceOf(Buffer);
      expect((await world.chunkIds(srid)).filter((id) => broken.includes(id))).toEqual([]);
    });

    it('leaves no chunk and no key of an earlier attempt after a crash at any of its writes', async () => {
      const { clock, connection, storage, masterKey, events } = world.parts;
      const faults = new Faults();
      let crashes = 0;
      for (let write = 1; ; write += WRITES_BETWEEN_DEATHS) {
        const items = exportOf(640);
        const srid = await world.start(items);
        const vault = new Vault(
          faults.connection(await storage.database('keys')),
          masterKey,
          () => clock.now().getTime(),
          { tombstones: events.publisher },
        );
        // Fills the key pool first, so that only writes of this archive are counted.
        await vault.newKey('ws', 'archive');
        const dying = world.builder({
          ...storesOn(faults.connection(connection)),
          vault,
          seen: new ReportsSeen(faults),
        });
        faults.dieAt(write);
        await dying.runOnce().catch(() => undefined);
        const survived = !faults.dead;
        faults.dieAt(Infinity);
        clock.advance(LEASE_MS);
        const left = await world.stores.archives.find('ws', srid);
        await world.worker.runOnce();
        const archive = await world.stores.archives.find('ws', srid);
        if (left?.kid && left.kid !== archive?.kid) expect(await world.parts.vault.key('ws', left.kid)).toBeUndefined();
        const chunks = await world.chunkIds(srid);
        expect({ write, chunks: chunks.length, state: archive?.state, order: archive?.order }).toEqual({
          write,
          chunks: archive?.chunks,
          state: 'ready',
          order: undefined,
        });
        expect(await world.subjectsOf(srid)).toBe(1);
        expect(chunks.every((id) => id.includes(archive?.build ?? 'none'))).toBe(true);
        expect((await readZip((await world.open(srid)) as Buffer)).get('events-001.jsonl')).toBe(linesOf(items));
        if (survived) break;
        expect(world.reports.srids.filter((one) => one === srid)).toHaveLength(1);
        crashes += 1;
      }
      // Claim, begin, subjects, two chunks at least, built, report, done.
      expect(crashes).toBeGreaterThanOrEqual(8 / WRITES_BETWEEN_DEATHS);
      // A spec that crashes at every write is slow on a busy machine.
    });

    it('is stopped by a builder that lost its claim, which removes its chunks', async () => {
      const srid = await world.start(exportOf(1_024));
      const { clock } = world.parts;
      const { chunks } = world.stores;
      let paused = false;
      const slow = {
        removeBuild: chunks.removeBuild.bind(chunks),
        // It pauses between its check of the claim and its write; its lease expires, and another builder finishes.
        write: async (...args: Parameters<ChunksStore['write']>) => {
          if (!paused) {
            paused = true;
            clock.advance(LEASE_MS);
            await world.worker.runOnce();
          }
          await chunks.write(...args);
        },
      };
      const seen = new ReportsSeen();
      await world.builder({ chunks: slow, seen }).runOnce();
      expect(seen.srids).toEqual([]);
      const archive = await world.stores.archives.find('ws', srid);
      expect(await world.chunkIds(srid)).toHaveLength(archive?.chunks ?? 0);
      expect(await world.subjectsOf(srid)).toBe(1);
      expect(await world.open(srid)).toBeInstanceOf(Buffer);
    });
  });

  describe('a builder that starts late', () => {
    it('keeps its build: a withdrawal based on an older state fails', async () => {
      const srid = await world.start(exportOf(8));
      const { archives } = world.stores;
      const { clock } = world.parts;
      const [claimed] = await archives.claimDue(clock.now(), 1);
      clock.advance(LEASE_MS);
      expect(
        claimed &&
          (await archives.begin(
            claimed,
            { build: randomUUID(), kid: randomUUID() },
            new Date(clock.now().getTime() + LEASE_MS),
          )),
      ).toBe(true);
      expect(await world.worker.runOnce()).toBe(0);
      clock.advance(LEASE_MS);
      expect(await world.worker.runOnce()).toBe(1);
      expect(await world.open(srid)).toBeInstanceOf(Buffer);
    });

    it('gives its key back where another builder was faster', async () => {
      const srid = await world.start(exportOf(8));
      const slow: ExportSource = {
        async *read(order) {
          world.parts.clock.advance(LEASE_MS);
          expect(await world.worker.runOnce()).toBe(1);
          yield* world.source.read(order);
        },
      };
      const giveBack = jest.spyOn(world.parts.vault, 'giveBack');
      await world.builder({ source: slow }).runOnce();
      expect(giveBack).toHaveBeenCalledTimes(1);
      giveBack.mockRestore();
      expect(await world.open(srid)).toBeInstanceOf(Buffer);
    });

    it('has the whole lease from then on', async () => {
      const srid = await world.start(exportOf(640));
      const { clock } = world.parts;
      const slow: ExportSource = {
        async *read(order) {
          clock.advance(LEASE_MS / 4);
          yield* world.source.read(order);
        },
      };
      let dueAt: Date | undefined;
      const stores = interposed(world.stores, { verb: 'add', is: 'before' }, async () => {
        dueAt = (await world.stores.archives.find('ws', srid))?.dueAt;
      });
      const begunAtMs = clock.now().getTime();
      await world.builder({ ...stores, source: slow }).runOnce();
      expect((dueAt?.getTime() ?? 0) - begunAtMs).toBe(LEASE_MS / 4 + LEASE_MS);
    });
  });

  describe('a results link', () => {
    it('does not wait forever for a completion that a replaced database had, and its archive is swept', async () => {
      const srid = await world.start(exportOf(8));
      await world.worker.runOnce();
      const kid = (await world.stores.archives.find('ws', srid))?.kid ?? '';
      world.parts.clock.advance(VALIDITY_MS - 1);
      expect(await world.open(srid)).toBeInstanceOf(Buffer);
      world.parts.clock.advance(1);
      expect(await world.open(srid)).toBe(410);
      world.parts.clock.advance(UNCOMPLETED_KEPT_MS - VALIDITY_MS);
      while ((await world.sweep.runOnce()) > 0);
      expect([await world.open(srid), await world.chunkIds(srid), await world.subjectsOf(srid)]).toEqual([410, [], 0]);
      expect(await world.parts.vault.key('ws', kid)).toBeUndefined();
    });

    it('answers for its whole validity after a slow participant', async () => {
      const srid = await world.start(exportOf(8));
      await world.worker.runOnce();
      world.parts.clock.advance(5 * VALIDITY_MS);
      await world.sweep.runOnce();
      await world.complete(srid);
      world.parts.clock.advance(VALIDITY_MS - 1);
      await world.sweep.runOnce();
      expect(await world.open(srid)).toBeInstanceOf(Buffer);
      world.parts.clock.advance(1);
      await world.sweep.runOnce();
      expect([await world.open(srid), await world.chunkIds(srid)]).toEqual([410, []]);
    });

    it('answers for its validity after the completion, then it is gone, before and after the sweep', async () => {
      const srid = await world.start(exportOf(8));
      await world.worker.runOnce();
      expect(await world.complete(srid)).toEqual(['done']);
      world.parts.clock.advance(VALIDITY_MS - 1);
      expect(await world.sweep.runOnce()).toBe(0);
      expect(await world.open(srid)).toBeInstanceOf(Buffer);
      world.parts.clock.advance(1);
      expect(await world.open(srid)).toBe(410);
      const kid = (await world.stores.archives.find('ws', srid))?.kid ?? '';
      expect(await world.sweep.runOnce()).toBe(1);
      expect(await world.sweep.runOnce()).toBe(0);
      expect(await world.open(srid)).toBe(410);
      expect([await world.chunkIds(srid), await world.subjectsOf(srid)]).toEqual([[], 0]);
      expect(await world.parts.vault.key('ws', kid)).toBeUndefined();
      // A replay of the event log restores nothing.
      await world.consumer.handleBatch([world.started(srid)]);
      expect(await world.worker.runOnce()).toBe(0);
      expect(await world.open(srid)).toBe(410);
    });

    it('is gone after its validity if nothing matched', async () => {
      const srid = await world.start();
      await world.worker.runOnce();
      await world.complete(srid);
      expect(await world.open(srid)).toBe(404);
      world.parts.clock.advance(VALIDITY_MS);
      await world.sweep.runOnce();
      expect(await world.open(srid)).toBe(410);
    });

    it('expires after the first completion, and is built even after the completion', async () => {
      const srid = await world.start(exportOf(8));
      await world.complete(srid);
      world.parts.clock.advance(1_000);
      expect(await world.complete(srid)).toEqual(['done']);
      await world.worker.runOnce();
      expect(await world.open(srid)).toBeInstanceOf(Buffer);
      world.parts.clock.advance(VALIDITY_MS - 1_000);
      expect(await world.open(srid)).toBe(410);
      await world.sweep.runOnce();
      expect(await world.chunkIds(srid)).toEqual([]);
    });

    it('is unknown if its token is, or its request has no archive', async () => {
      const srid = await world.start(exportOf(8));
      await world.worker.runOnce();
      const token = world.parts.linkKeys.tokenFor('ws', srid);
      const statusOf = async (one: string) => (await world.downloads.open(one)).status;
      expect(await statusOf(token)).toBe(200);
      for (const one of ['', 'x', `${token}x`, token.slice(0, -4)]) expect(await statusOf(one)).toBe(404);
      expect(await statusOf(world.parts.linkKeys.tokenFor('other', srid))).toBe(404);
      expect(await world.open(randomUUID())).toBe(404);
    });

    it('breaks if a chunk is exchanged for another', async () => {
      const srid = await world.start(exportOf(1_024));
      await world.worker.runOnce();
      const [first, second] = (await world.chunkIds(srid)).sort();
      const chunks = world.parts.connection.collection<{ _id: string; sealed: string }>('chunks');
      const other = await chunks.findOne({ _id: second ?? '' });
      await chunks.updateOne({ _id: first ?? '' }, { $set: { sealed: other?.sealed ?? '' } });
      await expect(world.open(srid)).rejects.toThrow('seal');
    });
  });
}
