import { createHash, createSecretKey, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commands,
  deliveryEvents,
  requestEvents,
  TOPICS,
  type DeliveryEvent,
  type ReplayCallback,
  type RequestEvent,
} from '@opendsr-service/contracts';
import type { LogRecord, OutgoingRecord } from '@opendsr-service/messaging';
import { openStorage, type Storage } from '@opendsr-service/storage';
import { embeddedDatabase } from '@opendsr-service/storage/testing';
import type { Destination } from '../destinations/destination';
import { deliveryId } from '../destinations/destination-events';
import {
  cancelled,
  completed,
  event,
  extended,
  fulfilled,
  ids,
  destinationWorld,
  MINUTE,
  minutes,
  received,
  reported,
  started,
  waiting,
} from '../testing/destination-world';
import type { FoldedDestination } from './folded-destination';
import { destinationFacts, destinationFromLog } from './destination-from-log';
import { destinationsProjection } from './destinations.projection';

const DAY = 1_440;
const tools = { keyKeepMs: 0, tombstoneKey: createSecretKey(Buffer.alloc(32)) };

/** The topics as this room reads and writes them. */
class PublishedLog {
  private readonly records = new Map<string, LogRecord[]>();

  add(topic: string, { key, value, headers }: OutgoingRecord): void {
    const records = this.records.get(topic) ?? [];
    records.push({
      topic,
      partition: 0,
      offset: String(records.length),
      key,
      value: Buffer.from(value),
      headers,
      timestampMs: 0,
    });
    this.records.set(topic, records);
  }

  events(...events: readonly RequestEvent[]): this {
    for (const one of events) this.add(TOPICS.requestEvents.name, requestEvents.encode(one));
    return this;
  }

  deliveries(...events: readonly DeliveryEvent[]): this {
    for (const one of events) this.add(TOPICS.deliveryEvents.name, deliveryEvents.encode(one));
    return this;
  }

  replays(...asked: readonly ReplayCallback[]): this {
    for (const one of asked) this.add(TOPICS.commands.name, commands.encode(one));
    return this;
  }

  of(topic: string): readonly LogRecord[] {
    return this.records.get(topic) ?? [];
  }
}

describe('destinations from the event log', () => {
  const world = destinationWorld(embeddedDatabase('destinations-projection'));
  let scratch: Storage;
  let dataDir: string;
  let folds = 0;
  let log: PublishedLog;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'destinations-'));
    scratch = await openStorage({ dataDir });
  });
  beforeEach(() => {
    log = new PublishedLog();
  });
  afterAll(async () => {
    await scratch.close();
    rmSync(dataDir, { recursive: true });
  });

  async function fold(now = world.clock.now()): Promise<Map<string, FoldedDestination>> {
    const connection = await scratch.database(`fold${++folds}`);
    const take = await destinationsProjection.startFold(connection, { ...tools, now });
    for (const topic of destinationsProjection.topics) {
      const records = log.of(topic);
      for (let at = 0; at < records.length; at += 7) await take(records.slice(at, at + 7));
    }
    const found = await connection.collection<FoldedDestination>('destinations').find({}).toArray();
    return new Map(found.map((destination) => [destination._id, destination]));
  }

  const apply = async (...events: RequestEvent[]) => {
    log.events(...events);
    await world.apply(...events);
    log.deliveries(...world.published.splice(0));
  };
  /** Publishes all outboxes. */
  const publishOutbox = async () => {
    for (const { _id, outbox = [] } of await world.destinations()) {
      log.deliveries(...outbox);
      await world.change(_id, { $unset: { outbox: 1, outboxAt: 1, outboxBy: 1, outboxSince: 1 } });
    }
  };
  const replayOf = (destination: Destination, v: number): ReplayCallback => ({
    type: 'ReplayCallback',
    id: randomUUID(),
    ws: destination.ws,
    srid: destination.srid,
    destination: destination.destination,
    version: v,
    delivery: deliveryId(destination, v),
    at: world.clock.now().toISOString(),
  });
  const obey = async (command: ReplayCallback) => {
    log.replays(command);
    await world.projection.replay(command);
  };
  const only = async (present: Destination | null = null): Promise<Destination> =>
    destinationFromLog(present, [...(await fold()).values()][0] as FoldedDestination);

  it('hold callbacks without a delivery event, due as scheduled', async () => {
    await apply(received(['a']), started);
    await publishOutbox();
    expect(await only()).toMatchObject({
      v: 2,
      pending: [
        { v: 1, status: 'pending' },
        { v: 2, status: 'in_progress' },
      ],
      dueAt: minutes(15),
      undeliveredSince: new Date(received(['a']).at),
    });
    expect(await only()).not.toHaveProperty('outbox');
  });

  it('have the extension of the legal date, and differ from a document without it', async () => {
    await apply(received(['a']), started, extended);
    await publishOutbox();
    const [present] = await world.destinations();
    const folded = await only();
    expect(folded.extended).toEqual({ v: 3, until: '2027-02-22T22:59:59.999Z' });
    expect(destinationFacts(folded)).toEqual(destinationFacts(present as Destination));
    const without: { extended?: unknown } = { ...(present as Destination) };
    delete without.extended;
    expect(destinationFacts(without as Destination)).not.toEqual(destinationFacts(folded));
  });

  it('hold no callback that was delivered or given up', async () => {
    await apply(received(['a', 'b']), started);
    world.clock.advance(15 * MINUTE);
    await world.drain();
    await apply(reported, fulfilled, completed);
    world.clock.advance(15 * MINUTE);
    const [a, b] = await world.claims.claimDue(world.clock.now(), { limit: 2, leaseMs: MINUTE });
    await world.deliver(a!);
    await world.claims.giveUp(b!, 'exhausted', {
      at: world.clock.now(),
      dueAt: minutes(60),
      tried: world.tried('unreachable'),
    });
    await publishOutbox();
    const destinations = [...(await fold()).values()].map((destination) => destinationFromLog(null, destination));
    expect(destinations.map(({ pending, outcome, dueAt, outbox }) => ({ pending, outcome, dueAt, outbox }))).toEqual([
      { pending: [], outcome: a!.destination === 'a' ? 'delivered' : 'exhausted' },
      { pending: [], outcome: a!.destination === 'a' ? 'exhausted' : 'delivered' },
    ]);
  });

  it('keep the time of the first failure, the number of failures and the due time, until the version is not served', async () => {
    await apply(received(['a']));
    world.clock.advance(15 * MINUTE);
    const tried = { ...world.tried('rejected'), httpStatus: 500, durationMs: 30, nextAt: minutes(30) };
    await world.claims.reschedule(await world.claim(), tried, { tries: 1, failingSince: world.clock.now() });
    await publishOutbox();
    expect(await only()).toMatchObject({
      attempts: { 1: 1 },
      tries: 1,
      failingSince: new Date(tried.at.getTime() + 30),
      dueAt: minutes(30),
    });
    world.clock.advance(15 * MINUTE);
    await world.claims.defer(await world.claim(), { ...world.tried('postponed'), attempt: 2 }, minutes(90));
    await publishOutbox();
    const unserved = await only();
    expect(unserved).toMatchObject({ attempts: { 1: 2 }, unservedSince: world.clock.now() });
    for (const counted of ['tries', 'failingSince']) expect(unserved).not.toHaveProperty(counted);
  });

  it('count as settled what the event log no longer holds, and ask the database first', async () => {
    const old = (n: number, one: RequestEvent) => ({
      ...one,
      at: new Date(minutes(-91 * DAY).getTime() + n).toISOString(),
    });
    log.events(old(0, received(['a'])), old(1, started), old(2, reported), old(3, fulfilled), {
      ...completed,
      at: minutes(0).toISOString(),
    });
    expect(waiting(await only())).toEqual(['5 completed']);
    const destination = await only();
    expect(destination.past).toEqual([expect.objectContaining({ v: 1 }), expect.objectContaining({ v: 2 })]);
    const present = {
      ...destination,
      past: [{ ...destination.past![0]!, reason: 'exhausted' as const }],
      pending: [{ v: 2, status: 'in_progress' as const, at: destination.past![1]!.at }, ...destination.pending],
    };
    expect(destinationFacts(await only(present))).toEqual(destinationFacts(present));
  });

  it('keep unpublished events and publish them', async () => {
    await apply(received(['a']), cancelled);
    await publishOutbox();
    world.clock.advance(15 * MINUTE);
    await world.drain();
    const present = await world.only();
    expect(await only()).toMatchObject({ pending: [{ v: 1 }, { v: 2 }] });
    expect(await only(present)).toMatchObject({
      pending: [],
      attempts: { 1: 1, 2: 1 },
      outcome: 'delivered',
      outbox: present.outbox,
      outboxAt: world.clock.now(),
      outboxSince: world.clock.now(),
    });
  });

  it('hold nothing for a receiver that is gone, and publish what the event log lacks', async () => {
    await apply(received(['a']));
    world.clock.advance(15 * MINUTE);
    await world.claims.settleGone(await world.claim(), world.tried('gone'), world.clock.now());
    await publishOutbox();
    log.events(cancelled);
    const destination = await only();
    expect(destination).toMatchObject({
      pending: [],
      outcome: 'gone',
      goneAt: expect.any(Date) as Date,
      past: [
        { v: 1, reason: 'gone' },
        { v: 2, reason: 'gone' },
      ],
    });
    expect(destination.outbox?.map(({ type }) => type)).toEqual(['CallbackQueued', 'CallbackGivenUp']);
  });

  it('hold a replay command that no dispatcher has handled, once', async () => {
    await apply(received(['a']));
    world.clock.advance(15 * MINUTE);
    await world.drain();
    await publishOutbox();
    world.clock.advance(MINUTE);
    const asked = replayOf(await world.only(), 1);
    log.replays(asked);
    const destination = await only();
    expect(destination).toMatchObject({
      pending: [{ v: 1, replay: asked.id }],
      replayed: [asked.id],
      dueAt: world.clock.now(),
      outbox: [{ type: 'CallbackQueued', replay: true }],
    });
    await world.projection.replay(asked);
    expect(destinationFacts(await world.only())).toEqual(destinationFacts(destination));
    const { clock, claims } = world;
    await claims.markDelivered(await world.claim(), { ...world.tried(), attempt: 2 }, clock.now(), {
      leaseUntil: clock.now(),
      dueAt: clock.now(),
    });
    await publishOutbox();
    expect(await only()).toMatchObject({ pending: [], attempts: { 1: 2 }, replayed: [asked.id] });
  });

  it('remember the last 50 replay commands, as the dispatcher does', async () => {
    await apply(received(['a']));
    world.clock.advance(15 * MINUTE);
    await world.drain();
    for (let n = 0; n < 51; n += 1) {
      world.clock.advance(MINUTE);
      await obey(replayOf(await world.only(), 1));
      await world.drain();
    }
    await publishOutbox();
    const { replayed = [], ...present } = await world.only();
    expect(replayed).toHaveLength(50);
    expect((await only()).replayed).toEqual(replayed);
    const others = Array.from({ length: 50 }, () => randomUUID());
    expect((await only({ ...present, replayed: others })).replayed).toEqual(replayed);
  });

  it('keep a field that a later release has written', async () => {
    await apply(received(['a']));
    const later = { later: { n: 1 } };
    expect(await only({ ...(await world.only()), ...later })).toEqual({
      ...(await only(await world.only())),
      ...later,
    });
  });

  it('leave a destination unchanged that is ahead of the events of its request', async () => {
    await apply(received(['a']));
    const [folded] = (await fold()).values();
    expect(destinationsProjection.isBeyond?.({ ...(await world.only()), v: 3 }, folded as FoldedDestination)).toBe(
      true,
    );
  });

  it('ignore malformed records, and destinations whose first event is not in the event log', async () => {
    log.events(started);
    log.add(TOPICS.requestEvents.name, { key: 'k', value: 'no json', headers: requestEvents.encode(started).headers });
    expect(await fold()).toEqual(new Map());
  });

  // The dispatcher's own stores live through chance; whatever the log heard of it must lead to the same destinations,
  // from nothing and from any older copy.
  it.each(Array.from({ length: 5 }, (_, seed) => seed))(
    'equal those of the dispatcher after random operations (life %i)',
    async (seed) => {
      const chance = chances(seed);
      const life = [
        received(['a', 'b']),
        started,
        reported,
        event(4, { type: 'ParticipantReported', participant: 'results', status: 'completed' }),
        event(5, { type: 'RequestFulfilled' }),
        event(6, { type: 'RequestCompleted' }),
      ];
      const copies: (readonly Destination[])[] = [];
      const steps: readonly (readonly [oneIn: number, () => Promise<unknown>])[] = [
        [4, () => apply(...life.splice(0, 1))],
        [3, () => turn()],
        [6, () => ask()],
        [4, () => publishOutbox()],
        [10, async () => copies.push(await world.destinations())],
      ];
      for (let step = 0; step < 50; step += 1) {
        world.clock.advance(chance(20) * MINUTE);
        for (const [oneIn, happens] of steps) if (chance(oneIn) === 0) await happens();
      }
      const present = await world.destinations();
      const refolded = await fold();
      for (const destination of present)
        expect(destinationFacts(destinationFromLog(destination, refolded.get(destination._id)!))).toEqual(
          destinationFacts(destination),
        );
      await publishOutbox();
      // What another process published at the same time comes once more.
      const last = log.of(TOPICS.deliveryEvents.name).slice(-5);
      for (const record of last) log.add(record.topic, record);
      const folded = await fold();
      expect([...folded.keys()]).toEqual(present.map(({ _id }) => _id));
      for (const destination of present) {
        expect(destinationFacts(folded.get(destination._id)!)).toEqual(destinationFacts(destination));
        for (const copy of copies) {
          const older = copy.find(({ _id }) => _id === destination._id) ?? null;
          const restored = destinationFromLog(older, folded.get(destination._id)!);
          expect(destinationFacts(restored)).toEqual(destinationFacts(destination));
          expect(restored).not.toHaveProperty('token');
        }
      }

      async function ask(): Promise<void> {
        const destinations = await world.destinations();
        const destination = destinations[chance(destinations.length || 1)];
        const past = destination?.past?.[chance(destination.past.length || 1)];
        if (destination && past) await obey(replayOf(destination, past.v));
      }

      async function turn(): Promise<void> {
        const [destination] = await world.claims.claimDue(world.clock.now(), { limit: 1, leaseMs: MINUTE });
        if (!destination) return;
        const now = world.clock.now();
        const tried = { at: now, attempt: (destination.attempts?.[destination.pending[0]!.v] ?? 0) + 1 };
        const nextAt = new Date(now.getTime() + chance(30) * MINUTE);
        const acts = [
          () =>
            world.claims.markDelivered(destination, { ...tried, outcome: 'delivered' }, now, {
              leaseUntil: now,
              dueAt: nextAt,
            }),
          () =>
            world.claims.markDelivered(destination, { ...tried, outcome: 'delivered' }, now, {
              leaseUntil: now,
              dueAt: nextAt,
            }),
          () =>
            world.claims.reschedule(
              destination,
              { ...tried, outcome: 'unreachable', nextAt },
              { tries: (destination.tries ?? 0) + 1, failingSince: destination.failingSince ?? now },
            ),
          () => world.claims.defer(destination, { ...tried, outcome: 'postponed' }, nextAt),
          () =>
            world.claims.giveUp(destination, 'exhausted', {
              at: now,
              dueAt: nextAt,
              tried: { ...tried, outcome: 'rejected' },
            }),
          () => world.claims.giveUp(destination, 'key-destroyed', { at: now, dueAt: nextAt }),
          () =>
            chance(3) === 0
              ? world.claims.settleGone(destination, { ...tried, outcome: 'gone' }, now)
              : world.claims.release(destination, nextAt),
        ];
        await acts[chance(acts.length)]?.();
      }
    },
  );

  it('apply only request events of their own workspace', async () => {
    await apply(received(['a']));
    log.events({ ...started, ws: 'other' });
    expect(await only()).toMatchObject({ ...ids, v: 1 });
  });
});

/** Numbers below a bound, the same for the same seed. */
function chances(seed: number): (below: number) => number {
  let n = 0;
  return (below) => createHash('sha256').update(`${seed}|${++n}`).digest().readUInt32BE(0) % below;
}
