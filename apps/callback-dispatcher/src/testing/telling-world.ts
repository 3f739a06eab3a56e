import {
  deliveryEvents,
  messageId,
  TOPICS,
  type DeliveryEvent,
  type LaneSettled,
  type RequestStatus,
} from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock } from '@opendsr-service/runtime';
import { ensureIndexes } from '@opendsr-service/storage';
import type { TestDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { DeliveryCounts } from '../lanes/delivery-counts';
import type { ClaimedLane, Lane } from '../lanes/lane';
import type { Tried } from '../lanes/lane-events';
import { LanesCollection } from '../lanes/lanes-collection.store';
import { LanesStore } from '../lanes/lanes.store';
import { TurnsStore } from '../lanes/turns.store';
import { OutboxStore } from '../telling/outbox.store';
import { TellerWorker } from '../telling/teller.worker';

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
export const laneWith = (name: string, ...statuses: RequestStatus[]): Lane => ({
  _id: idOf(name),
  ...of,
  lane: name,
  v: statuses.length,
  pending: statuses.map((status, n) => ({ v: n + 1, status, at })),
  dueAt: noon,
  ...facts,
});
export const settled = (lane: string, outcome: LaneSettled['outcome']): LaneSettled => ({
  type: 'LaneSettled',
  id: messageId(idOf(lane), 'settled'),
  ...of,
  at: noon.toISOString(),
  lane,
  outcome,
});
export const tried = (outcome: Tried['outcome'] = 'delivered', attempt = 1): Tried => ({ at: noon, attempt, outcome });
export const given = { at: noon, dueAt: later };
export const delivered = [noon, { leaseUntil: later, dueAt: later }] as const;

/** Lanes on any store, empty before each spec, and what the log heard of them. */
export function tellingWorld(database: TestDatabase) {
  let connection: Connection;
  let lanes: LanesCollection;
  let store: LanesStore;
  let turns: TurnsStore;
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
    new TellerWorker(new OutboxStore(lanes), to, clockOf, LONGEST_TRY_MS);

  beforeAll(async () => {
    connection = await database.open();
    lanes = new LanesCollection(connection);
    store = new LanesStore(lanes, new DeliveryCounts());
    turns = new TurnsStore(lanes);
    await ensureIndexes(connection);
  });
  beforeEach(async () => {
    await connection.collection('lanes').deleteMany({});
    heard = [];
    publisher = new SwitchedPublisher(log);
  });
  afterAll(() => database.close());

  /** Opens a lane and claims it; that it was queued is told already. */
  const claim = async (...lane: Parameters<typeof laneWith>) => {
    await store.open([laneWith(...lane)], noon);
    await worker().runOnce();
    heard = [];
    const [claimed] = await turns.claimDue(noon, { limit: 1, leaseMs: 60_000 });
    return claimed as ClaimedLane;
  };
  const lane = (called: string) => connection.collection<Lane>('lanes').findOne({ _id: idOf(called) });
  const shown = () => heard.map((event) => [event.type, 'version' in event ? event.version : event.lane]);
  return {
    ...{ worker, claim, lane, shown, clock },
    get connection() {
      return connection;
    },
    get lanes() {
      return lanes;
    },
    get store() {
      return store;
    },
    get turns() {
      return turns;
    },
    get heard() {
      return heard;
    },
    get publisher() {
      return publisher;
    },
  };
}
