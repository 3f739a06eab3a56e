import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestEvents, signRecord, TOPICS, type EncodedMessage, type RequestEvent } from '@opendsr-service/contracts';
import { openLog, ParkedStore, type EventLog, type LogRecord } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock, silentLogger } from '@opendsr-service/service';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import { leafKeyOf, MasterSeal } from '@opendsr-service/vault';
import { Participants, waiverKey } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import { AggregatesStore } from '../aggregates/aggregates.store';
import { OutboxRelay } from '../aggregates/outbox-relay.worker';
import { RequestCommandHandler } from '../aggregates/request-command-handler';
import { ReportsConsumer } from '../reports/reports.consumer';

/** The request service's parts on embedded stores in a folder of their own, with a clock that is moved by hand. */
export class World {
  static readonly relayAfterMs = 5_000;

  static async open(): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'request-'));
    const storage = await openStorage({ dataDir });
    const log = await openLog({ embedded: { file: join(dataDir, 'log.db') } });
    await log.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
    const connection = await storage.database('request');
    const store = new AggregatesStore(connection);
    const parking = new ParkedStore(connection);
    const workspaces = await storage.database('workspaces');
    const world = new World({ dataDir, storage, log, connection, workspaces, store, parking });
    await Promise.all([connection, workspaces].map((one) => ensureIndexes(one)));
    return world;
  }

  readonly clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
  readonly publisher: SwitchedPublisher;
  readonly store: AggregatesStore;
  readonly relay: OutboxRelay;
  readonly seal = new MasterSeal(createSecretKey(randomBytes(32)));
  readonly waiver: KeyObject = waiverKey(this.seal);
  readonly participants: Participants;
  private readers = 0;

  private constructor(
    readonly parts: {
      dataDir: string;
      storage: Storage;
      log: EventLog;
      connection: Connection;
      workspaces: Connection;
      store: AggregatesStore;
      parking: ParkedStore;
    },
  ) {
    this.publisher = new SwitchedPublisher(parts.log.publisher);
    this.store = parts.store;
    this.participants = new Participants(parts.workspaces, this.seal, () => this.clock.now().getTime());
    this.relay = this.relayOf(this.store);
  }

  private relayOf(store: AggregatesStore): OutboxRelay {
    const options = { againAfterMs: World.relayAfterMs, leafKey: leafKeyOf(this.seal) };
    return new OutboxRelay(store, this.publisher, this.clock, options);
  }

  /** Another handler of this process. */
  replica(): RequestCommandHandler {
    return this.handlerOn(this.store, this.relay);
  }

  /** A handler of another process, which knows nothing of what this one has published. */
  otherProcess(): RequestCommandHandler {
    const store = new AggregatesStore(this.parts.connection);
    return this.handlerOn(store, this.relayOf(store));
  }

  /** Makes a workspace and registers outside participants for all types; answers what each signs with. */
  async register(ws: string, ...names: string[]): Promise<KeyObject[]> {
    await this.parts.workspaces.collection<{ _id: string }>('workspaces').insertOne({ _id: ws });
    const add = async (name: string) =>
      this.participants.add({ ws, name, domain: `${name}.example`, types: ['access', 'portability', 'erasure'] });
    const added = await Promise.all(names.map(add));
    return added.map(({ secret }) => createSecretKey(secret, 'utf8'));
  }

  /** Reads reports as the service does. */
  reports(): ReportsConsumer {
    return new ReportsConsumer(this.replica(), this.participants, this.waiver);
  }

  /** The first `count` events of the log, of one request or of all, as a new consumer reads them. */
  async events(count: number, srid?: string): Promise<RequestEvent[]> {
    const seen: RequestEvent[] = [];
    await new Promise<void>((resolve, reject) => {
      const handle = (records: Parameters<typeof requestEvents.decode>[0][]) => {
        seen.push(
          ...records
            .map((record) => requestEvents.decode(record))
            .filter((event) => srid === undefined || event.srid === srid),
        );
        if (seen.length >= count) resolve();
        return Promise.resolve(records.map(() => 'done' as const));
      };
      this.parts.log
        .consume({
          group: `reader-${++this.readers}`,
          topics: [TOPICS.requestEvents.name],
          handle: (records) => handle([...records]),
          parking: this.parts.parking,
          isInfrastructureError: () => false,
          onFatal: reject,
        })
        .catch(reject);
    });
    return seen;
  }

  private handlerOn(store: AggregatesStore, relay: OutboxRelay): RequestCommandHandler {
    return new RequestCommandHandler({
      store,
      relay,
      clock: this.clock,
      relayAfterMs: World.relayAfterMs,
      log: silentLogger,
    });
  }

  async close(): Promise<void> {
    await this.parts.log.close();
    await this.parts.storage.close();
    rmSync(this.parts.dataDir, { recursive: true });
  }
}

/** The record of a message, as the log hands it out. */
export const recordOf = (message: EncodedMessage, key?: KeyObject): LogRecord => ({
  ...(key ? signRecord(message, key) : message),
  ...{ topic: TOPICS.participantReports.name, partition: 0, offset: '0', timestampMs: 0 },
});
