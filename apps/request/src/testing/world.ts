import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestEvents, TOPICS, type RequestEvent } from '@opendsr-service/contracts';
import { openLog, ParkedStore, type Log } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock } from '@opendsr-service/runtime';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import { AggregatesStore } from '../aggregates/aggregates.store';
import { Publication } from '../aggregates/publication';
import { Requests } from '../aggregates/requests';
import { RelayWorker } from '../relay/relay.worker';

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
    await ensureIndexes(connection);
    return new World({ dataDir, storage, log, store, parking });
  }

  readonly clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
  readonly publisher: SwitchedPublisher;
  readonly store: AggregatesStore;
  readonly relay: RelayWorker;
  private readers = 0;

  private constructor(private readonly parts: { dataDir: string; storage: Storage; log: Log; store: AggregatesStore; parking: ParkedStore }) {
    this.publisher = new SwitchedPublisher(parts.log.publisher);
    this.store = parts.store;
    this.relay = new RelayWorker(this.store, new Publication(this.store, this.publisher), this.clock, World.relayAfterMs);
  }

  /** Another replica on the same stores. */
  replica(): Requests {
    return new Requests({ store: this.store, publication: new Publication(this.store, this.publisher), clock: this.clock, relayAfterMs: World.relayAfterMs });
  }

  /** The first `count` events of the log, as a new consumer reads them. */
  async events(count: number): Promise<RequestEvent[]> {
    const seen: RequestEvent[] = [];
    await new Promise<void>((resolve, reject) => {
      const handle = (records: Parameters<typeof requestEvents.decode>[0][]) => {
        seen.push(...records.map((record) => requestEvents.decode(record)));
        if (seen.length >= count) resolve();
        return Promise.resolve(records.map(() => 'done' as const));
      };
      this.parts.log
        .consume({ group: `reader-${++this.readers}`, topics: [TOPICS.requestEvents.name], handle: (records) => handle([...records]), parking: this.parts.parking, isInfrastructureError: () => false, onFatal: reject })
        .catch(reject);
    });
    return seen;
  }

  async close(): Promise<void> {
    await this.parts.log.close();
    await this.parts.storage.close();
    rmSync(this.parts.dataDir, { recursive: true });
  }
}
