import { messageId, type DeliveryEvent, type RequestEvent } from '@opendsr-service/contracts';
import { ManualClock } from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { DeliveryCounts } from '../destinations/delivery-counts';
import type { ClaimedDestination, Destination } from '../destinations/destination';
import type { Attempt } from '../destinations/destination-events';
import { DestinationProjection } from '../destinations/destination-projection';
import { DestinationsCollection } from '../destinations/destinations-collection.store';
import { DestinationsStore } from '../destinations/destinations.store';
import { DestinationClaims } from '../destinations/destination-claims.store';

export const MINUTE = 60_000;
export const TICK = 15 * MINUTE;
const noon = new Date('2026-11-21T12:00:00.000Z');
export const minutes = (n: number) => new Date(noon.getTime() + n * MINUTE);
export const at = '2026-11-21T11:59:00.000Z';
export const sealed = 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=';
export const ids = { ws: 'acme', srid: '475974fa-6b42-4370-bb56-b5d845686bb5' };
export const work = { type: 'access', kid: 'kid-1', identities: sealed } as const;

type Fact = RequestEvent extends infer E
  ? E extends RequestEvent
    ? Omit<E, 'id' | 'ws' | 'srid' | 'version' | 'commandSeq' | 'at'>
    : never
  : never;
export const event = (version: number, fact: Fact, of = ids): RequestEvent => ({
  ...fact,
  ...of,
  id: messageId(of.ws, of.srid, version),
  version,
  commandSeq: 1,
  at,
});
export const received = (destinations: string[], of = ids) =>
  event(
    1,
    {
      type: 'RequestReceived',
      request: {
        controllerId: '1402',
        apiVersion: '2.0',
        type: 'access',
        submittedTime: at,
        receivedAt: at,
        startAt: at,
        expectedAt: '2026-11-23T12:15:00.000Z',
        groupId: null,
        fingerprint: 'f',
        kid: 'kid-1',
        identities: sealed,
        callbacks: destinations.map((destination) => ({ destination, url: sealed })),
      },
    },
    of,
  );
export const started = event(2, { type: 'RequestStarted', participants: ['results'], work });
export const cancelled = event(2, { type: 'RequestCancelled' });
export const reported = event(3, { type: 'ParticipantReported', participant: 'results', status: 'completed' });
export const extended = event(3, {
  type: 'DeadlineExtended',
  extendedUntil: '2027-02-22T22:59:59.999Z',
  extendedBy: 'privacy-office',
  reason: sealed,
});
export const fulfilled = event(4, { type: 'RequestFulfilled' });
export const completed = event(5, { type: 'RequestCompleted' });
export const life = [received(['a']), started, reported, fulfilled, completed];

export const waiting = ({ pending }: Destination): string[] => pending.map(({ v, status }) => `${v} ${status}`);

/** Destinations on any store, empty before each spec, with a clock that a spec moves; nothing is sent. */
export function destinationWorld(database: TestDatabase) {
  let connection: Connection;
  let collection: DestinationsCollection;
  let clock: ManualClock;
  let claims: DestinationClaims;
  let projection: DestinationProjection;
  const logged: object[] = [];
  /** In how many milliseconds callbacks are due, as the dispatcher is told. */
  const signalled: number[] = [];
  /** What was published before it was queued; the outboxes hold the rest. */
  const published: DeliveryEvent[] = [];
  let dyingAfter: number | undefined;
  const log = { info: (facts: object) => void logged.push(facts) };

  beforeAll(async () => {
    connection = await database.open();
    collection = new DestinationsCollection(connection);
    collection.due.subscribe((inMs) => signalled.push(inMs));
    claims = new DestinationClaims(collection);
    await ensureIndexes(connection);
  });
  beforeEach(async () => {
    await connection.collection('destinations').deleteMany({});
    clock = new ManualClock(minutes(1));
    logged.length = 0;
    published.length = 0;
    signalled.length = 0;
    const store = new DestinationsStore(
      collection,
      (events) => {
        published.push(...events);
        const dies = events.some((one) => 'version' in one && one.version === dyingAfter);
        dyingAfter = undefined;
        return dies ? Promise.reject(new Error('died')) : Promise.resolve();
      },
      new DeliveryCounts(),
      log,
    );
    projection = new DestinationProjection(store, clock, { tickMs: TICK, spreadMs: 0 });
  });
  afterAll(() => database.close());

  const destinations = () => connection.collection<Destination>('destinations').find({}).sort({ _id: 1 }).toArray();
  const tried = (outcome: Attempt['outcome'] = 'delivered'): Attempt => ({ at: clock.now(), attempt: 1, outcome });
  const deliver = (destination: ClaimedDestination, dueAt = minutes(60)) =>
    claims.markDelivered(destination, tried(), clock.now(), {
      leaseUntil: new Date(clock.now().getTime() + MINUTE),
      dueAt,
    });
  return {
    destinations,
    only: async () => (await destinations())[0] as Destination,
    apply: async (...events: RequestEvent[]) => {
      const verdicts = [];
      for (const one of events) verdicts.push(await projection.apply(one));
      return verdicts;
    },
    /** Applies events at the same time, as the consumer does with events of several requests. */
    applyTogether: (...events: RequestEvent[]) => Promise.all(events.map((one) => projection.apply(one))),
    ...{ logged, published, signalled },
    /** The next publication ends in an error if it says that the callback of this version is queued. */
    dieAfterPublishing: (version: number) => {
      dyingAfter = version;
    },
    change: (_id: string, update: object) =>
      connection.collection<Destination>('destinations').updateOne({ _id, ws: ids.ws }, update),
    insert: (documents: readonly object[]) => connection.collection('destinations').insertMany([...documents]),
    tried,
    deliver,
    /** Claims everything that is due and finishes all of it. */
    drain: async () => {
      for (const destination of await claims.claimDue(clock.now(), { limit: 100, leaseMs: MINUTE })) {
        let left: ClaimedDestination | undefined = destination;
        while (left) left = await deliver(left);
      }
    },
    claim: async () =>
      (await claims.claimDue(clock.now(), { limit: 10, leaseMs: 2 * MINUTE }))[0] as ClaimedDestination,
    get claims() {
      return claims;
    },
    get collection() {
      return collection.documents;
    },
    get clock() {
      return clock;
    },
    get projection() {
      return projection;
    },
  };
}
