import {
  deliveryEvents,
  messageId,
  TOPICS,
  type DeliveryEvent,
  type DestinationSettled,
  type RequestStatus,
} from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock } from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { DeliveryCounts } from '../destinations/delivery-counts';
import type { ClaimedDestination, Destination } from '../destinations/destination';
import type { Attempt } from '../destinations/destination-events';
import { DestinationsCollection } from '../destinations/destinations-collection.store';
import { DestinationsStore } from '../destinations/destinations.store';
import { DestinationClaims } from '../destinations/destination-claims.store';
import { DestinationOutbox } from '../outbox/outbox.store';
import { publishDeliveries } from '../destinations/publish-deliveries';
import { RelayWorker } from '../outbox/relay.worker';

export const noon = new Date('2026-11-21T12:00:00.000Z');
export const LONGEST_TRY_MS = 19_000;
export const later = new Date('2026-11-21T12:15:00.000Z');
export const of = { ws: 'acme', srid: '475974fa-6b42-4370-bb56-b5d845686bb5' };
export const at = '2026-11-21T11:59:00.000Z';
const facts = {
  controllerId: '1402',
  apiVersion: '2.0',
  type: 'access',
  expectedAt: later.toISOString(),
  kid: 'kid-1',
  url: 'c2VhbGVk',
} as const;
export const idOf = (name: string) => `${of.ws}:${of.srid}|${name}`;
export const destinationWith = (name: string, ...statuses: RequestStatus[]): Destination => ({
  _id: idOf(name),
  ...of,
  destination: name,
  destinationCount: 1,
  v: statuses.length,
  pending: statuses.map((status, n) => ({ v: n + 1, status, at })),
  dueAt: noon,
  ...facts,
});
export const settled = (destination: string, outcome: DestinationSettled['outcome']): DestinationSettled => ({
  type: 'DestinationSettled',
  id: messageId(idOf(destination), 'settled'),
  ...of,
  at: noon.toISOString(),
  destination,
  outcome,
});
export const tried = (outcome: Attempt['outcome'] = 'delivered', attempt = 1): Attempt => ({
  at: noon,
  attempt,
  outcome,
});
export const given = { at: noon, dueAt: later };
export const delivered = [noon, { leaseUntil: later, dueAt: later }] as const;

/** Destinations on any store, empty before each spec, and what the log heard of them. */
export function outboxWorld(database: TestDatabase) {
  let connection: Connection;
  let destinations: DestinationsCollection;
  let store: DestinationsStore;
  let claims: DestinationClaims;
  let heard: DeliveryEvent[];
  let publisher: SwitchedPublisher;
  const clock = new ManualClock(noon);
  const log: Publisher = {
    available: true,
    publish: (topic, records) => {
      expect(topic).toBe(TOPICS.deliveryEvents.name);
      heard.push(
        ...records.map((record) => deliveryEvents.decode(record as Parameters<typeof deliveryEvents.decode>[0])),
      );
      return Promise.resolve();
    },
  };
  const worker = (to: Publisher = publisher, clockOf = clock) =>
    new RelayWorker(new DestinationOutbox(destinations), to, clockOf, LONGEST_TRY_MS);

  beforeAll(async () => {
    connection = await database.open();
    destinations = new DestinationsCollection(connection);
    store = new DestinationsStore(destinations, (events) => publishDeliveries(publisher)(events), new DeliveryCounts());
    claims = new DestinationClaims(destinations);
    await ensureIndexes(connection);
  });
  beforeEach(async () => {
    await connection.collection('destinations').deleteMany({});
    heard = [];
    publisher = new SwitchedPublisher(log);
  });
  afterAll(() => database.close());

  /** Opens a destination and claims it. Forgets that it was queued. */
  const claim = async (...destination: Parameters<typeof destinationWith>) => {
    await store.open([destinationWith(...destination)], noon);
    heard = [];
    const [claimed] = await claims.claimDue(noon, { limit: 1, leaseMs: 60_000 });
    return claimed as ClaimedDestination;
  };
  /** Leaves an attempt in the outbox of each destination. */
  const leaveAttempts = async (...names: readonly string[]) => {
    for (const name of names)
      await claims.reschedule(await claim(name, 'pending'), { ...tried('rejected'), nextAt: later }, {});
  };
  const destination = (called: string) =>
    connection.collection<Destination>('destinations').findOne({ _id: idOf(called) });
  const shown = () => heard.map((event) => [event.type, 'version' in event ? event.version : event.destination]);
  return {
    ...{ worker, claim, leaveAttempts, destination, shown, clock },
    get connection() {
      return connection;
    },
    get destinations() {
      return destinations;
    },
    get store() {
      return store;
    },
    get claims() {
      return claims;
    },
    get heard() {
      return heard;
    },
    get publisher() {
      return publisher;
    },
  };
}
