import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, requestKey, TOPICS, type Command } from '@opendsr-service/contracts';
import { openLog, ParkedStore, type Log } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock } from '@opendsr-service/runtime';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import { RelayWorker } from '../relay/relay.worker';
import { Outbox } from '../requests/outbox.client';
import type { RequestDocument } from '../requests/request.document';
import { RequestsStore } from '../requests/requests.store';
import { StartWorker } from '../start/start.worker';
import { RequestView } from '../view/request-view';

const WAIT_MS = 60_000;
const GAPS = { firstGapMs: 5_000, longestGapMs: 3_600_000, deadlineMs: 1_000 };
const PUBLISH_WAIT_MS = 1_000;

/** What the gateway does beside its routes, on embedded stores in a folder of their own, with a clock that is moved by hand. */
export class World {
  static async open(): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'gateway-'));
    const storage = await openStorage({ dataDir });
    const log = await openLog({ embedded: { file: join(dataDir, 'log.db') } });
    await log.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
    const connection = await storage.database('gateway');
    const store = new RequestsStore(connection, GAPS.firstGapMs);
    const parking = new ParkedStore(connection);
    await ensureIndexes(connection);
    return new World({ dataDir, storage, log, parking }, store);
  }

  readonly ws = 'acme';
  readonly waitMs = WAIT_MS;
  readonly resendMs = GAPS.firstGapMs;
  readonly clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
  readonly publisher: SwitchedPublisher;
  readonly start: StartWorker;
  readonly relay: RelayWorker;
  readonly view: RequestView;

  private constructor(
    private readonly parts: { dataDir: string; storage: Storage; log: Log; parking: ParkedStore },
    readonly store: RequestsStore,
  ) {
    this.publisher = new SwitchedPublisher(parts.log.publisher);
    const outbox = new Outbox(this.publisher);
    this.start = new StartWorker(store, outbox, this.clock, PUBLISH_WAIT_MS);
    this.relay = new RelayWorker(store, outbox, this.clock, GAPS);
    this.view = new RequestView(store, outbox, this.clock, PUBLISH_WAIT_MS);
  }

  /** Admits a request; its command is in its outbox and nowhere else. */
  async admit(): Promise<RequestDocument> {
    const srid = randomUUID();
    const now = this.clock.now();
    const startAt = new Date(now.getTime() + WAIT_MS);
    const admitted = await this.store.admit({
      _id: requestKey(this.ws, srid), ws: this.ws, srid, controllerId: 'c', apiVersion: '2.0', type: 'access', submittedTime: now, receivedAt: now, expectedAt: startAt,
      startAt, groupId: null, kid: 'k', fingerprint: srid, sealed: { identities: 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=', callbacks: [] },
    });
    if (typeof admitted === 'string') throw new Error(`refused: ${admitted}`);
    return admitted;
  }

  find = async ({ srid }: Pick<RequestDocument, 'srid'>): Promise<RequestDocument> => (await this.store.find(this.ws, srid)) as RequestDocument;

  /** The first `count` commands of the log, as the request service reads them. */
  async commands(count: number): Promise<Command[]> {
    const seen: Command[] = [];
    await new Promise<void>((resolve, reject) => {
      const { log, parking } = this.parts;
      log
        .consume({
          group: 'reader', topics: [TOPICS.commands.name], parking, isInfrastructureError: () => false, onFatal: reject,
          handle: (records) => {
            seen.push(...records.map((record) => commands.decode(record)));
            if (seen.length >= count) resolve();
            return Promise.resolve(records.map(() => 'done' as const));
          },
        })
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
