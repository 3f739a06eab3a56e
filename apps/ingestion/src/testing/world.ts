import { createSecretKey, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  identitiesSeal,
  normaliseIdentity,
  TOPICS,
  type Identity,
  type IdentityTypeName,
  type ExportItem,
} from '@opendsr-service/contracts';
import { openLog, PublishTimeout, type EventLog, type LogRecord, type Publisher } from '@opendsr-service/messaging';
import { until } from '@opendsr-service/messaging/testing';
import { ManualClock, type Logger } from '@opendsr-service/service';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import { mongodbStorage } from '@opendsr-service/storage/testing';
import { openVault, type MasterSeal, type Vault } from '@opendsr-service/vault';
import { openWorkspaces, type Workspaces } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import type { SealedIdentities } from '../exports/sealed-identities';
import { ProfileExport } from '../exports/profile-export';
import { AfterErasureCounts } from '../identities/after-erasure';
import { IdentityLimit } from '../identities/identity-limit';
import type { Subject } from '../identities/subject';
import { storesOn, type IngestionStores } from '../ingestion-stores.wiring';

const silence = (): void => undefined;
export const quietLog: Logger = { debug: silence, info: silence, warn: silence, error: silence, fatal: silence };

/** The event log with a switch: while it is away, every publish fails. */
export class SwitchedPublisher implements Publisher {
  away = false;
  constructor(private readonly inner: Publisher) {}

  get available(): boolean {
    return !this.away && this.inner.available;
  }

  async publish(...args: Parameters<Publisher['publish']>): Promise<void> {
    if (this.away) throw new PublishTimeout('away');
    await this.inner.publish(...args);
  }
}

export const identity = (type: IdentityTypeName, value: string): Identity => normaliseIdentity(type, value) as Identity;

/** Fails unless the call got a subject. */
export function taken(subject: Subject | string | undefined): Subject {
  if (typeof subject !== 'object') throw new Error(`no subject, but ${String(subject)}`);
  return subject;
}

/** The parts of ingestion on embedded stores in their own folder, with a manual clock. */
export class World {
  /** Stores documents in MongoDB if an address is given. The event log is embedded. */
  static async open(mongodbUri?: string): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'ingestion-'));
    const storage = await (mongodbUri === undefined ? openStorage({ dataDir }) : mongodbStorage());
    const events = await openLog({ embedded: { file: join(dataDir, 'log.db') } });
    await events.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
    const clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
    const masterKey = createSecretKey(randomBytes(32));
    const publisher = new SwitchedPublisher(events.publisher);
    const { vault, seal } = await openVault(
      await storage.database('keys'),
      { masterKey },
      () => clock.now().getTime(),
      publisher,
    );
    const workspaces = await openWorkspaces(await storage.database('workspaces'), vault, seal, () =>
      clock.now().getTime(),
    );
    const connection = await storage.database('ingestion');
    const world = new World({
      dataDir,
      storage,
      events,
      publisher,
      clock,
      masterKey,
      vault,
      seal,
      workspaces,
      connection,
    });
    await ensureIndexes(connection);
    return world;
  }

  readonly stores: IngestionStores;
  readonly afterErasure = new AfterErasureCounts(quietLog);
  readonly callRules = { afterErasure: this.afterErasure, identityLimit: new IdentityLimit(10_000, quietLog) };
  readonly exports: ProfileExport;
  readonly publisher: SwitchedPublisher;

  private constructor(
    readonly parts: {
      readonly dataDir: string;
      readonly storage: Storage;
      readonly events: EventLog;
      readonly publisher: SwitchedPublisher;
      readonly clock: ManualClock;
      readonly masterKey: KeyObject;
      readonly vault: Vault;
      readonly seal: MasterSeal;
      readonly workspaces: Workspaces;
      readonly connection: Connection;
    },
  ) {
    this.stores = storesOn(parts.connection, parts.vault, parts.clock, this.callRules);
    this.exports = new ProfileExport({ ...this.stores, ...parts }, parts.vault);
    this.publisher = parts.publisher;
  }

  /** The subject of identities, the deciding one first, under the policy accept. */
  async identify(ws: string, ...ranked: readonly Identity[]): Promise<Subject> {
    return taken(await this.stores.subjects.identify(ws, ranked, 'accept'));
  }

  /** A request for these identities, sealed as by the gateway. */
  async sealedIdentities(ws: string, identities: readonly Identity[]): Promise<SealedIdentities> {
    const srid = randomUUID();
    const key = await this.parts.vault.newKey(ws, 'request');
    return {
      ws,
      srid,
      kid: key.kid,
      identities: key.seal(identitiesSeal({ ws, srid }), JSON.stringify(identities)),
    };
  }

  /** The export of a request for these identities. */
  async export(ws: string, ...identities: readonly Identity[]): Promise<ExportItem[]> {
    const items: ExportItem[] = [];
    for await (const item of this.exports.read(await this.sealedIdentities(ws, identities))) items.push(item);
    return items;
  }

  /** All records of a topic, once there are at least `count`. */
  async records(topic: string, count: number): Promise<LogRecord[]> {
    let seen: LogRecord[] = [];
    await until(async () => {
      seen = [];
      await this.parts.events.read(topic, {}, (records) => Promise.resolve(void seen.push(...records)));
      return seen.length >= count;
    });
    return seen;
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
}
