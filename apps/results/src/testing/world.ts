import { createSecretKey, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { participantReports, requestEvents, TOPICS, type RequestEvent } from '@opendsr-service/contracts';
import { openLog, type Log as EventLog, type LogRecord, type OutgoingRecord, type Publisher } from '@opendsr-service/messaging';
import { ManualClock, type Log } from '@opendsr-service/runtime';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import { openVault, type LinkKeys, type Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { ArchivesConsumer } from '../archives/archives.consumer';
import { ArchivesStore } from '../archives/archives.store';
import { BuildWorker } from '../archives/build.worker';
import { ChunksStore } from '../archives/chunks.store';
import { ResultsDownload } from '../download/results-download';
import type { ExportItem, ExportOrder, ExportSource } from '../export/export-source';
import { SweepWorker } from '../sweep/sweep.worker';
import type { Faults } from '@opendsr-service/storage/testing';

const silence = (): void => undefined;
export const quietLog: Log = { debug: silence, info: silence, warn: silence, error: silence, fatal: silence };
export const VALIDITY_MS = 7 * 86_400_000;
export const LEASE_MS = 60_000;

/** Exports by request, as ingestion would tell them; `breaks` makes one end too soon. */
export class PlantedSource implements ExportSource {
  readonly exports = new Map<string, readonly ExportItem[]>();
  breaks = false;

  async *read({ srid }: ExportOrder): AsyncGenerator<ExportItem> {
    for (const item of this.exports.get(srid) ?? [{ end: { profiles: 0, batches: 0, attributes: 0 } }]) {
      if (this.breaks && 'end' in item) throw new Error('ingestion is away');
      yield await Promise.resolve(item);
    }
  }
}

/** Takes reports as the log would, and keeps what it was told. */
export class ReportsSeen implements Publisher {
  readonly available = true;
  readonly srids: string[] = [];
  constructor(private readonly faults?: Faults) {}

  publish(_topic: string, records: readonly OutgoingRecord[]): Promise<void> {
    this.faults?.write();
    this.srids.push(...records.map(({ value, headers }) => participantReports.decode({ value: Buffer.from(value), headers }).srid));
    return Promise.resolve();
  }
}

/** The parts of results on embedded stores in a folder of their own, with a clock that is moved by hand. */
export class World {
  /** Documents lie in MongoDB where an address is given; the log is embedded. */
  static async open(mongodbUri?: string): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'results-'));
    const storage = await openStorage(mongodbUri === undefined ? { dataDir } : { mongodbUri, databasePrefix: `test_${randomUUID()}_` });
    const events = await openLog({ embedded: { file: join(dataDir, 'log.db') } });
    await events.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
    const clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
    const masterKey = createSecretKey(randomBytes(32));
    const { vault, linkKeys } = await openVault(await storage.database('keys'), masterKey, () => clock.now().getTime(), events.publisher);
    const connection = await storage.database('results');
    const world = new World({ dataDir, storage, events, clock, masterKey, vault, linkKeys, connection });
    await ensureIndexes(connection);
    return world;
  }

  readonly stores: { readonly archives: ArchivesStore; readonly chunks: ChunksStore };
  readonly source = new PlantedSource();
  readonly reports = new ReportsSeen();
  readonly consumer: ArchivesConsumer;
  readonly worker: BuildWorker;
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
      readonly connection: Connection;
    },
  ) {
    const { connection, vault, linkKeys, clock } = parts;
    this.stores = { archives: new ArchivesStore(connection), chunks: new ChunksStore(connection) };
    this.consumer = new ArchivesConsumer(this.stores.archives, clock, VALIDITY_MS);
    this.worker = new BuildWorker({ ...this.stores, source: this.source, vault, publisher: this.reports, clock, log: quietLog });
    this.sweep = new SweepWorker(this.stores, vault, clock);
    this.downloads = new ResultsDownload({ ...this.stores, linkKeys, vault, clock });
  }

  /** An access request that has started, and what ingestion holds for it. */
  async start(items?: readonly ExportItem[]): Promise<string> {
    const srid = randomUUID();
    if (items) this.source.exports.set(srid, items);
    await this.consumer.take([this.started(srid)]);
    return srid;
  }

  started(srid: string, change: { type?: 'access' | 'portability' | 'erasure'; participants?: string[] } = {}): LogRecord {
    const work = { type: change.type ?? 'access', kid: 'kid', identities: 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=' };
    return this.record({ type: 'RequestStarted', ...this.head(srid), version: 2, commandSeq: 2, participants: change.participants ?? ['results'], work });
  }

  async complete(srid: string): Promise<readonly unknown[]> {
    return this.consumer.take([this.record({ type: 'RequestCompleted', ...this.head(srid), version: 5, commandSeq: 3 })]);
  }

  /** What the link of a request answers: its bytes, or why there are none. */
  async open(srid: string): Promise<Buffer | 404 | 410> {
    const answer = await this.downloads.open(await this.parts.linkKeys.token('ws', srid, this.parts.clock.now()));
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


  /** Which of the values stand in the clear in any file. */
  filesHolding(values: readonly string[]): string[] {
    const files = readdirSync(this.parts.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
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
