import { createSecretKey, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestEvents, TOPICS, type RequestEvent, type ExportItem } from '@opendsr-service/contracts';
import { openLog, type EventLog, type LogRecord, type Publisher } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { ManualClock, type Logger } from '@opendsr-service/service';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import { mongodbStorage } from '@opendsr-service/storage/testing';
import { openVault, type LinkKeys, type MasterSeal, type Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { RequestEventsConsumer } from '../requests/request-events.consumer';
import { BuildWorker } from '../archives/build.worker';
import type { ChunksStore } from '../archives/chunks.store';
import { Withdrawal } from '../archives/withdrawal';
import { storesOn } from '../database.config';
import { ResultsDownload } from '../download/results-download';
import { ArchiveErasureWorker } from '../erasure/archive-erasure.worker';
import type { ExportSource } from '../export/export-source';
import { ParticipantReports } from '../reports/reports.client';
import { SweepWorker } from '../sweep/sweep.worker';
import { PlantedSource } from './planted-source';
import { REPORT_KEY, ReportsSeen } from './reports-seen';

const silence = (): void => undefined;
export const quietLog: Logger = { debug: silence, info: silence, warn: silence, error: silence, fatal: silence };
export const VALIDITY_MS = 7 * 86_400_000;
export const SECOND_PASS_MS = 60_000;

/** A worker that runs one page to its end. */
function settled<W extends BuildWorker | ArchiveErasureWorker>(worker: W) {
  const { work } = worker;
  const runOnce = async (): Promise<number> => {
    const begun = await work.runOnce();
    await work.idle();
    return begun;
  };
  return { worker, work, runOnce };
}
type Settled<W extends BuildWorker | ArchiveErasureWorker> = ReturnType<typeof settled<W>>;

type Stores = ReturnType<typeof storesOn>;

/** The parts of results on embedded stores in their own folder, with a manual clock. */
export class World {
  /** Stores documents in MongoDB if an address is given. The event log is embedded. */
  static async open(mongodbUri?: string): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'results-'));
    const storage = await (mongodbUri === undefined ? openStorage({ dataDir }) : mongodbStorage());
    const events = await openLog({ embedded: { file: join(dataDir, 'log.db') } });
    await events.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
    const clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
    const masterKey = createSecretKey(randomBytes(32));
    const tombstones = new SwitchedPublisher(events.publisher);
    const { vault, linkKeys, seal } = await openVault(
      await storage.database('keys'),
      { masterKey },
      () => clock.now().getTime(),
      tombstones,
    );
    const connection = await storage.database('results');
    const world = new World({
      dataDir,
      storage,
      events,
      clock,
      masterKey,
      vault,
      linkKeys,
      seal,
      tombstones,
      connection,
    });
    await ensureIndexes(connection);
    return world;
  }

  readonly stores: Stores;
  readonly source = new PlantedSource();
  readonly reports = new ReportsSeen();
  readonly consumer: RequestEventsConsumer;
  readonly worker: Settled<BuildWorker>;
  readonly withdrawal: Withdrawal;
  readonly erasure: Settled<ArchiveErasureWorker>;
  readonly sweep: SweepWorker;
  readonly downloads: ResultsDownload;

  private constructor(
    readonly parts: {
      readonly dataDir: string;
      readonly storage: Storage;
      readonly events: EventLog;
      readonly clock: ManualClock;
      readonly masterKey: KeyObject;
      readonly vault: Vault;
      readonly linkKeys: LinkKeys;
      readonly seal: MasterSeal;
      /** Receives the tombstones. */
      readonly tombstones: SwitchedPublisher;
      readonly connection: Connection;
    },
  ) {
    const { connection, vault, linkKeys, clock } = parts;
    this.stores = storesOn(connection);
    this.consumer = this.consumerFor({ order: (order, dueAt) => this.stores.archives.addOrder(order, dueAt) });
    this.worker = this.builder();
    this.withdrawal = new Withdrawal(this.stores, vault, clock);
    this.erasure = this.eraser();
    this.sweep = new SweepWorker(this.stores, vault, clock);
    this.downloads = new ResultsDownload({ ...this.stores, linkKeys, vault, clock, validityMs: VALIDITY_MS });
  }

  /** A consumer of request events. The world's own starts no build: `worker` does. */
  consumerFor(builds: Pick<BuildWorker, 'order'>): RequestEventsConsumer {
    const { archives, erasures } = this.stores;
    return new RequestEventsConsumer(archives, builds, erasures, { clock: this.parts.clock, validityMs: VALIDITY_MS });
  }

  /** A builder whose parts may be replaced. */
  builder(
    change: Partial<Omit<Stores, 'chunks'>> & {
      chunks?: Pick<ChunksStore, 'write' | 'removeBuild'>;
      source?: ExportSource;
      vault?: Vault;
      seen?: Publisher;
      keepEveryMs?: number;
    } = {},
  ): Settled<BuildWorker> {
    const { seen = this.reports, keepEveryMs, ...other } = change;
    const { vault, clock } = this.parts;
    return settled(
      new BuildWorker(
        {
          ...this.stores,
          source: this.source,
          vault,
          clock,
          log: quietLog,
          ...other,
          reports: new ParticipantReports(seen, REPORT_KEY, clock),
        },
        keepEveryMs,
      ),
    );
  }

  /** Results' erasure worker whose parts may be replaced. */
  eraser(
    stores: Stores = this.stores,
    { vault, clock } = this.parts,
    seen: Publisher = this.reports,
    renewEveryMs?: number,
  ): Settled<ArchiveErasureWorker> {
    const withdrawal = new Withdrawal(stores, vault, clock);
    return settled(
      new ArchiveErasureWorker(
        { ...stores, withdrawal, reports: new ParticipantReports(seen, REPORT_KEY, clock), clock, log: quietLog },
        SECOND_PASS_MS,
        renewEveryMs,
      ),
    );
  }

  /** A started access request, and its export. */
  async start(items?: readonly ExportItem[]): Promise<string> {
    const srid = randomUUID();
    if (items) this.source.exports.set(srid, items);
    await this.consumer.handleBatch([this.started(srid)]);
    return srid;
  }

  started(
    srid: string,
    change: { type?: 'access' | 'portability' | 'erasure'; participants?: string[] } = {},
  ): LogRecord {
    const work = {
      type: change.type ?? 'access',
      kid: 'kid',
      identities: 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=',
    };
    return this.record({
      type: 'RequestStarted',
      ...this.head(srid),
      version: 2,
      commandSeq: 2,
      participants: change.participants ?? ['results'],
      work,
    });
  }

  /** The report of ingestion about an erasure. */
  reported(
    srid: string,
    change: { participant?: string; status?: 'completed' | 'failed'; erased?: string[] },
  ): LogRecord {
    return this.record({
      type: 'ParticipantReported',
      ...this.head(srid),
      version: 3,
      commandSeq: 2,
      participant: 'ingestion',
      status: 'completed',
      ...change,
    });
  }

  /** An erasure of these subjects that ingestion has reported. */
  async erase(...erased: string[]): Promise<string> {
    const srid = randomUUID();
    expect(
      await this.consumer.handleBatch([
        this.started(srid, { type: 'erasure', participants: ['ingestion', 'results'] }),
        this.reported(srid, { erased }),
      ]),
    ).toEqual(['skip', 'done']);
    return srid;
  }

  async complete(srid: string): Promise<readonly unknown[]> {
    return this.consumer.handleBatch([this.completed(srid)]);
  }

  completed(srid: string): LogRecord {
    return this.record({ type: 'RequestCompleted', ...this.head(srid), version: 5, commandSeq: 3 });
  }

  /** The answer of the link of a request: its bytes or its status. */
  async open(srid: string): Promise<Buffer | 404 | 410> {
    const answer = await this.downloads.open(this.parts.linkKeys.tokenFor('ws', srid));
    if (answer.status !== 200) return answer.status;
    const chunks: Buffer[] = [];
    for await (const chunk of answer.stream) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    expect(bytes.length).toBe(answer.bytes);
    return bytes;
  }

  async chunkIds(srid: string): Promise<string[]> {
    const found = await this.parts.connection.collection<{ _id: string }>('chunks').find({ ws: 'ws', srid }).toArray();
    return found.map(({ _id }) => _id);
  }

  /** The number of subject entries of an archive. */
  subjectsOf(srid: string): Promise<number> {
    return this.parts.connection.collection('archiveSubjects').countDocuments({ ws: 'ws', srid });
  }

  /** The values that any file contains as plaintext. */
  filesHolding(values: readonly string[]): string[] {
    const files = readdirSync(this.parts.dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const contents = files.map((file) => readFileSync(join(file.parentPath, file.name)));
    return values.filter((value) => contents.some((content) => content.includes(value)));
  }

  async close(): Promise<void> {
    await this.parts.events.close();
    await this.parts.storage.close();
    rmSync(this.parts.dataDir, { recursive: true });
  }

  private head(srid: string) {
    return { id: randomUUID(), ws: 'ws', srid, at: this.parts.clock.now().toISOString() };
  }

  private record(event: RequestEvent): LogRecord {
    const { key, value, headers } = requestEvents.encode(event);
    return { topic: TOPICS.requestEvents.name, partition: 0, offset: '0', key, value, headers, timestampMs: 0 };
  }
}
