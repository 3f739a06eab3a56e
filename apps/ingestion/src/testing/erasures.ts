import {
  isRecordSignedBy,
  participantReports,
  requestEvents,
  TOPICS,
  type Identity,
  type ParticipantReport,
  type RequestStarted,
} from '@opendsr-service/contracts';
import type { LogRecord, Publisher } from '@opendsr-service/messaging';
import type { Faults } from '@opendsr-service/storage/testing';
import { Vault } from '@opendsr-service/vault';
import { builtInReportKey } from '@opendsr-service/workspaces';
import { ProfileErasureWorker } from '../erasure/profile-erasure.worker';
import { ErasuresConsumer } from '../erasure/erasures.consumer';
import type { SealedIdentities } from '../exports/sealed-identities';
import { storesOn, type IngestionStores } from '../ingestion-stores.wiring';
import { quietLog, type World } from './world';

export const SECOND_PASS_MS = 60_000;
export const LEASE_MS = 60_000;

/** A worker that a spec runs and awaits. */
export interface Working {
  runOnce(): Promise<number>;
}

/** Records what is left of a subject at each report of ingestion. */
export class WatchedPublisher implements Publisher {
  readonly available = true;
  readonly reports: (Pick<ParticipantReport, 'srid' | 'erased'> & { left: number })[] = [];
  /** What each report says that was destroyed. */
  readonly destroyed: ParticipantReport['destroyed'][] = [];
  constructor(
    private readonly erasures: Erasures,
    private readonly left: () => Promise<number>,
    private readonly faults?: Faults,
  ) {}

  /** How many reports came before all data was deleted. */
  early(): number {
    return this.reports.filter(({ left }) => left > 0).length;
  }

  async publish(
    topic: string,
    records: readonly { value: string | Buffer; headers: Readonly<Record<string, string>> }[],
  ): Promise<void> {
    expect(topic).toBe(TOPICS.participantReports.name);
    for (const { value, headers } of records) {
      const report = participantReports.decode({ value: Buffer.from(value), headers });
      expect(report).toMatchObject({ ws: this.erasures.ws, participant: 'ingestion', status: 'completed' });
      expect(isRecordSignedBy({ value: Buffer.from(value), headers }, this.erasures.reportKey)).toBe(true);
      this.destroyed.push(report.destroyed);
      this.reports.push({ srid: report.srid, erased: report.erased, left: await this.left() });
    }
    this.faults?.write();
  }
}

/** Starts and checks erasures of one workspace. */
export class Erasures {
  constructor(
    private readonly world: World,
    readonly ws: string,
  ) {}

  get reportKey() {
    return builtInReportKey(this.world.parts.seal, 'ingestion');
  }

  /** A subject with two batches. `left` counts its batches, identities, profile and key. */
  async takeIn(ranked: readonly Identity[]) {
    const { world, ws } = this;
    const { mpid, key } = await world.identify(ws, ...ranked);
    const sealed = key.seal({ ws, subject: mpid, field: 'batch' }, '{"events":[]}');
    await world.stores.batches.keep(
      [1, 2].map((i) => ({ _id: `${ws}-${mpid}-${i}`, ws, mpid, kid: key.kid, sealed, at: new Date(i) })),
    );
    const left = async () => {
      let batches = 0;
      for await (const batch of world.stores.batches.readByProfile(ws, mpid)) batches += batch.mpid === mpid ? 1 : 0;
      const identities = await world.stores.identities.findByProfiles(ws, [mpid]);
      const profiles = await world.stores.profiles.find(ws, [mpid]);
      const keyLeft = (await world.parts.vault.key(ws, key.kid)) ? 1 : 0;
      return batches + identities.length + profiles.length + keyLeft;
    };
    return { mpid, kid: key.kid, left, index: await world.parts.vault.erasedIndex(ws, mpid) };
  }

  started(
    request: SealedIdentities,
    change: Partial<Pick<RequestStarted, 'participants'>> & { type?: 'access' | 'erasure' } = {},
  ): LogRecord {
    const participants = change.participants ?? ['ingestion'];
    const work = { type: change.type ?? 'erasure', kid: request.kid, identities: request.identities } as const;
    return this.record({ type: 'RequestStarted', ...this.head(request.srid, 2), participants, work });
  }

  /** Adds an erasure of these identities. */
  async begin(...identities: readonly Identity[]): Promise<SealedIdentities> {
    const request = await this.world.sealedIdentities(this.ws, identities);
    expect(await this.consumer().handleRecords([this.started(request)])).toEqual(['done']);
    return request;
  }

  /** All participants have reported. */
  async complete(request: SealedIdentities): Promise<void> {
    expect(await this.consumer().handleRecords([this.completed(request)])).toEqual(['done']);
  }

  completed({ srid }: SealedIdentities): LogRecord {
    return this.record({ type: 'RequestCompleted', ...this.head(srid, 5) });
  }

  consumer(): ErasuresConsumer {
    return new ErasuresConsumer(this.world.stores.erasures, this.world.parts.clock);
  }

  worker(
    publisher: Publisher,
    stores: IngestionStores = this.world.stores,
    vault = this.world.parts.vault,
    renewEveryMs?: number,
  ): Working {
    const { clock, workspaces } = this.world.parts;
    const { work } = new ProfileErasureWorker(
      stores,
      { vault, publisher, workspaces, reportKey: this.reportKey, clock, log: quietLog },
      SECOND_PASS_MS,
      renewEveryMs,
    );
    return {
      runOnce: async () => {
        const begun = await work.runOnce();
        await work.idle();
        return begun;
      },
    };
  }

  /** A worker that crashes at the writes that the faults select. */
  async dying(publisher: Publisher, faults: Faults): Promise<Working> {
    const { clock, connection, storage, masterKey, events } = this.world.parts;
    const tombstones: Publisher = {
      available: true,
      publish: async (...args) => {
        faults.write();
        await events.publisher.publish(...args);
      },
    };
    const vault = new Vault(faults.connection(await storage.database('keys')), masterKey, () => clock.now().getTime(), {
      tombstones,
    });
    return this.worker(publisher, storesOn(faults.connection(connection), vault, clock, this.world.callRules), vault);
  }

  /** Runs a worker until it ends or crashes. */
  async run(worker: Working): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await worker.runOnce().catch(() => undefined);
      this.world.parts.clock.advance(SECOND_PASS_MS);
    }
  }

  /** Runs until nothing is due, and waits as long as necessary. */
  async drain(worker: Working): Promise<void> {
    for (let round = 0; round < 10; round += 1) {
      await worker.runOnce();
      this.world.parts.clock.advance(LEASE_MS);
    }
  }

  /** Postpones an erasure, as lasting failures do, or makes it due. */
  async due({ srid }: SealedIdentities, when: 'next year' | 'now'): Promise<void> {
    const dueAt = new Date(this.world.parts.clock.now().getTime() + (when === 'now' ? 0 : 365 * 86_400_000));
    const erasures = this.world.parts.connection.collection<{ _id: string; ws: string }>('erasures');
    await erasures.updateOne({ _id: `${this.ws}:${srid}`, ws: this.ws, dueAt: { $exists: true } }, { $set: { dueAt } });
  }

  /** The stored links and subjects of unfinished erasures. */
  async links(): Promise<number> {
    const { connection } = this.world.parts;
    const stubs = await connection.collection('erasures').find({ ws: this.ws }).toArray();
    return (
      (await connection.collection('erasureLinks').find({ ws: this.ws }).toArray()).length +
      stubs.filter((stub) => 'subjects' in stub).length
    );
  }

  private head(srid: string, version: number) {
    return { id: srid, ws: this.ws, srid, version, commandSeq: 2, at: this.world.parts.clock.now().toISOString() };
  }

  private record(event: Parameters<typeof requestEvents.encode>[0]): LogRecord {
    const { value, headers, key } = requestEvents.encode(event);
    return { topic: TOPICS.requestEvents.name, partition: 0, offset: '0', key, value, headers, timestampMs: 0 };
  }
}
