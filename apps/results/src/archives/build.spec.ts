import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { ExportItem } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import type { ExportSource } from '../export/export-source';
import { World } from '../testing/world';
import { LEASE_MS, type Archive } from './archive';
import { BUILDS } from './build.worker';
import { shownShare } from '../requests/shown-share.store';

const MANY_TURNS = 200;

describe('a builder that has to wait', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  it('keeps its claim while the export sends nothing', async () => {
    const more = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const source: ExportSource = {
      async *read(): AsyncGenerator<ExportItem> {
        yield { subjects: ['a'] };
        yield { profile: '{}' };
        asked.resolve();
        await more.promise;
        yield { end: { profiles: 1, batches: 0, attributes: 0 } };
      },
    };
    const srid = await world.start();
    const building = world.builder({ source, keepEveryMs: 1 }).runOnce();
    await asked.promise;
    for (let halves = 0; halves < 4; halves += 1) {
      world.parts.clock.advance(LEASE_MS / 2);
      const until_ = world.parts.clock.now().getTime() + LEASE_MS;
      await until(async () => (await world.stores.archives.find('ws', srid))?.dueAt?.getTime() === until_);
    }
    expect(await world.worker.runOnce()).toBe(0);
    more.resolve();
    await building;
    expect(await world.open(srid)).toBeInstanceOf(Buffer);
    expect(world.reports.srids).toEqual([srid]);
  });

  it('shows operators how many profiles matched, also after the archive is forgotten', async () => {
    const matched = async (srid: string) => (await shownShare(world.parts.connection, 'ws', srid))?.archive;
    const nobody = await world.start();
    const two = await world.start([
      { subjects: ['a', 'b'] },
      { profile: '{}' },
      { profile: '{}' },
      { end: { profiles: 2, batches: 0, attributes: 0 } },
    ]);
    await world.worker.runOnce();
    expect([await matched(nobody), await matched(two)]).toMatchObject([
      { state: 'empty', matched: 0 },
      { state: 'ready', matched: 2 },
    ]);
    for (const srid of [nobody, two])
      await world.stores.archives.removeData({ _id: `ws:${srid}`, ws: 'ws' } as Archive);
    expect([await matched(nobody), await matched(two)]).toMatchObject([
      { state: 'forgotten', matched: 0 },
      { state: 'forgotten', matched: 2 },
    ]);
  });

  it('reads only a few pieces ahead while the store is slow', async () => {
    const BATCHES = 10_000;
    let sent = 0;
    const source: ExportSource = {
      async *read(): AsyncGenerator<ExportItem> {
        yield { subjects: ['a'] };
        yield { profile: '{}' };
        for (; sent < BATCHES; sent += 1)
          yield await Promise.resolve({ batch: `{"r":"${randomBytes(3_072).toString('base64')}"}` });
        yield { end: { profiles: 1, batches: BATCHES, attributes: 0 } };
      },
    };
    const { chunks } = world.stores;
    const store = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow = {
      removeBuild: chunks.removeBuild.bind(chunks),
      write: async () => {
        reached.resolve();
        await store.promise;
        throw new Error('the store is away');
      },
    };
    const srid = await world.start();
    const building = world.builder({ chunks: slow, source }).runOnce();
    await reached.promise;
    // Reading has stopped if nothing was sent for many turns of the event loop.
    for (let turns = 0, before = sent; turns < MANY_TURNS; turns = sent === before ? turns + 1 : 0, before = sent)
      await turn();
    const sentUnasked = sent;
    store.resolve();
    await building;
    expect(sentUnasked).toBeLessThan(BATCHES / 4);
    expect((await world.stores.archives.find('ws', srid))?.tries).toBe(1);
  });
});

describe('concurrent archives', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());

  /** A request whose export sends nothing until its end is released. */
  const startLong = async () => {
    const [srid, end] = [await world.start(), Promise.withResolvers<void>()];
    world.source.waits.set(srid, end.promise);
    return { srid, end };
  };
  const reported = (srid: string) => world.reports.srids.includes(srid);

  it('do not wait for a long one that started before them', async () => {
    const { work } = world.worker;
    const long = await startLong();
    expect(await work.runOnce()).toBe(1);
    const short = await world.start();
    expect(await work.runOnce()).toBe(1);
    await until(() => Promise.resolve(reported(short)));
    expect(reported(long.srid)).toBe(false);
    long.end.resolve();
    await work.idle();
    expect(reported(long.srid)).toBe(true);
  });

  it('are limited in number, and the next one starts as soon as one of them ends', async () => {
    const { work } = world.worker;
    const long = await Promise.all(Array.from({ length: BUILDS }, startLong));
    expect(await work.runOnce()).toBe(BUILDS);
    const next = await world.start();
    const room = work.runOnce();
    expect((await world.stores.archives.find('ws', next))?.token).toBeUndefined();
    long[2]?.end.resolve();
    expect(await room).toBe(1);
    expect(await work.runOnce()).toBe(1);
    await until(() => Promise.resolve(reported(next)));
    expect(long.map(({ srid }) => reported(srid))).toEqual(long.map((_, n) => n === 2));
    for (const { end } of long) end.resolve();
    await work.idle();
  });

  it('end before a process closes its stores, and no other starts', async () => {
    const { work } = world.worker;
    const long = await startLong();
    await work.runOnce();
    const stopped = work.stop().then(() => reported(long.srid));
    await world.start();
    expect(await work.runOnce()).toBe(0);
    long.end.resolve();
    expect(await stopped).toBe(true);
  });
});

describe('an archive that was just ordered', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.open();
  });
  afterEach(() => world.close());
  const items: ExportItem[] = [
    { subjects: ['a'] },
    { profile: '{}' },
    { end: { profiles: 1, batches: 0, attributes: 0 } },
  ];
  /** An export that never begins: its process died. */
  async function* blocked(): AsyncGenerator<ExportItem> {
    await new Promise(() => undefined);
    yield* [];
  }

  it('is built as soon as the event is handled; an empty one is written twice, without a claim or a query', async () => {
    const builder = world.builder();
    const consumer = world.consumerFor(builder.worker);
    const archives = world.parts.connection.collection('archives');
    const names = ['find', 'findOne', 'insertOne', 'updateOne', 'updateMany', 'bulkWrite'] as const;
    const spies = names.map((name) => jest.spyOn(archives, name as 'find'));
    const [started, calls] = [world.started(randomUUID()), () => spies.map((spy) => spy.mock.calls.length)];
    expect(await consumer.handleBatch([started])).toEqual(['done']);
    await builder.work.idle();
    expect(calls()).toEqual([0, 0, 1, 0, 0, 1]);
    const reports = world.reports.srids.length;
    expect(await consumer.handleBatch([started])).toEqual(['done']);
    await builder.work.idle();
    expect(calls()).toEqual([0, 0, 2, 0, 0, 1]);
    expect(world.reports.srids).toHaveLength(reports);
    for (const spy of spies) spy.mockRestore();
  });

  it('is left to another process after the lease, if the one that began it dies', async () => {
    const srid = randomUUID();
    const dying = world.builder({ source: { read: () => blocked() } });
    world.source.exports.set(srid, items);
    await world.consumerFor(dying.worker).handleBatch([world.started(srid)]);
    await world.worker.runOnce();
    expect(world.reports.srids).not.toContain(srid);
    world.parts.clock.advance(LEASE_MS);
    await world.worker.runOnce();
    expect(world.reports.srids).toContain(srid);
    expect(await world.open(srid)).toBeInstanceOf(Buffer);
  });

  it('waits for any process if this one has no room, and says so', async () => {
    const builder = world.builder({ source: { read: () => blocked() } });
    const consumer = world.consumerFor(builder.worker);
    await consumer.handleBatch(Array.from({ length: BUILDS }, () => world.started(randomUUID())));
    const signalled: number[] = [];
    world.stores.archives.due.subscribe((inMs) => signalled.push(inMs));
    const srid = randomUUID();
    await consumer.handleBatch([world.started(srid)]);
    expect(signalled).toEqual([0]);
    await world.worker.runOnce();
    expect(world.reports.srids).toContain(srid);
  });
});
