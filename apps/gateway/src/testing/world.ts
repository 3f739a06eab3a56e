import { createSecretKey, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commands,
  DEFAULT_LEGAL_CALENDAR,
  legalDueAt,
  requestKey,
  TOPICS,
  type Command,
} from '@opendsr-service/contracts';
import { openLog, ParkedStore, type EventLog, type LogRecord } from '@opendsr-service/messaging';
import { SwitchedPublisher } from '@opendsr-service/messaging/testing';
import { DueSignal, ManualClock, silentLogger } from '@opendsr-service/service';
import { ensureIndexes, openStorage, type Storage } from '@opendsr-service/storage';
import { MasterSeal, openVault, type Vault } from '@opendsr-service/vault';
import { Participants } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import { LedgerStore } from '../callbacks/ledger.store';
import { EndedPersonsStore } from '../keys/ended-persons.store';
import { EndedRequestsWorker } from '../keys/ended-requests.worker';
import { RequestKeysWorker } from '../keys/request-keys.worker';
import { RequestKeysStore } from '../keys/request-keys.store';
import { AnsweredCommands } from '../workers/answered-commands.client';
import { RelayWorker } from '../workers/relay.worker';
import { CommandPublisher } from '../admission/command-publisher.client';
import { EndedHere } from '../admission/ended-here';
import type { Intake } from '../intake/intake';
import type { RequestDocument } from '../admission/request.document';
import { AdmissionsStore } from '../admission/admissions.store';
import { legalDates, type LegalDates } from '../admission/legal-dates';
import { sealingKeys, sealIntake } from '../admission/sealing';
import { DeadlinesStore } from '../deadlines/deadlines.store';
import { extendDeadline, type ExtendedDeadline, type ExtensionRefusal } from '../deadlines/extend-deadline';
import { StartWorker } from '../workers/start.worker';
import { AdmissionProjection } from '../request-events/admission-projection';

const WAIT_MS = 60_000;
const GAPS = { firstGapMs: 5_000, longestGapMs: 3_600_000 };
const DEADLINE_MS = 30_000;
/** Nobody reads here but by hand, so that nothing waits for its turn. */
const UNREAD: Pick<EventLog, 'lag'> = { lag: () => Promise.resolve([]) };
const PUBLISH_WAIT_MS = 30_000;
const KEY_KEEP_MS = 30 * 86_400_000;
const KEY_KEEP_ERASED_MS = 86_400_000;

/**
 * What the gateway does beside its routes, on embedded stores in a folder of their own or on the given ones, with a clock
 * that is moved by hand.
 */
export class World {
  static async open(given?: { readonly storage: Storage; readonly log: EventLog }): Promise<World> {
    const dataDir = mkdtempSync(join(tmpdir(), 'gateway-'));
    const storage = given?.storage ?? (await openStorage({ dataDir }));
    const log = given?.log ?? (await openLog({ embedded: { file: join(dataDir, 'log.db') } }));
    await log.topics.apply(Object.values(TOPICS), { replication: 1, minIsr: 1 });
    const publisher = new SwitchedPublisher(log.publisher);
    const clock = new ManualClock(new Date('2026-11-21T09:00:00Z'));
    const masterKey = createSecretKey(randomBytes(32));
    const { vault } = await openVault(
      await storage.database('keys'),
      { masterKey },
      () => clock.now().getTime(),
      publisher,
    );
    const connection = await storage.database('gateway');
    const participants = new Participants(await storage.database('workspaces'), new MasterSeal(masterKey), () =>
      clock.now().getTime(),
    );
    const world = new World({ dataDir, storage, log, connection, publisher, clock, masterKey, vault, participants });
    await ensureIndexes(connection);
    return world;
  }

  readonly ws = 'acme';
  readonly waitMs = WAIT_MS;
  readonly resendMs = GAPS.firstGapMs;
  readonly longestGapMs = GAPS.longestGapMs;
  readonly keepMs = KEY_KEEP_MS;
  readonly keepErasedMs = KEY_KEEP_ERASED_MS;
  readonly clock: ManualClock;
  readonly publisher: SwitchedPublisher;
  readonly vault: Vault;
  readonly commandPublisher: CommandPublisher;
  readonly store: AdmissionsStore;
  readonly keys: RequestKeysStore;
  readonly ledger: LedgerStore;
  readonly deadlines: DeadlinesStore;
  readonly start: StartWorker;
  readonly starts = new DueSignal();
  readonly relay: RelayWorker;
  readonly ended: EndedRequestsWorker;
  readonly keyWorker: RequestKeysWorker;
  readonly view: AdmissionProjection;
  private readonly parking: ParkedStore;

  private constructor(
    readonly parts: {
      readonly dataDir: string;
      readonly storage: Storage;
      readonly log: EventLog;
      readonly connection: Connection;
      readonly publisher: SwitchedPublisher;
      readonly clock: ManualClock;
      readonly masterKey: KeyObject;
      readonly vault: Vault;
      /** Those that are registered in the database `workspaces`. */
      readonly participants: Participants;
    },
  ) {
    const { connection, clock, publisher, vault } = parts;
    this.clock = clock;
    this.publisher = publisher;
    this.vault = vault;
    this.parking = new ParkedStore(connection);
    this.keys = new RequestKeysStore(connection, KEY_KEEP_MS);
    const here = new EndedHere();
    this.ended = new EndedRequestsWorker({
      keys: this.keys,
      persons: new EndedPersonsStore(connection),
      vault,
      clock,
      keepErasedMs: KEY_KEEP_ERASED_MS,
      here,
    });
    this.store = new AdmissionsStore(connection, GAPS.firstGapMs, {
      endedRequests: here,
      starts: this.starts,
    });
    this.ledger = new LedgerStore(connection);
    this.deadlines = new DeadlinesStore(connection);
    const commandPublisher = (this.commandPublisher = new CommandPublisher(publisher));
    this.start = new StartWorker(this.store, commandPublisher, clock, {
      participants: parts.participants,
      publishWaitMs: PUBLISH_WAIT_MS,
    });
    this.relay = this.relayBy(UNREAD);
    this.keyWorker = new RequestKeysWorker(this.keys, vault, publisher, clock);
    this.view = new AdmissionProjection(this.store, commandPublisher, clock, {
      publishWaitMs: PUBLISH_WAIT_MS,
      keyKeepMs: KEY_KEEP_MS,
    });
  }

  /** Admits a request; its command is in its outbox and nowhere else. */
  async admit({
    identities = [],
    callbackUrls = [],
  }: Partial<Pick<Intake, 'identities' | 'callbackUrls'>> = {}): Promise<RequestDocument> {
    const srid = randomUUID();
    const now = this.clock.now();
    const startAt = new Date(now.getTime() + WAIT_MS);
    const intake: Intake = { srid, type: 'access', submittedTime: now, groupId: null, identities, callbackUrls };
    const admitted = await this.store.admit({
      _id: requestKey(this.ws, srid),
      ws: this.ws,
      controllerId: 'c',
      apiVersion: '2.0',
      receivedAt: now,
      expectedAt: startAt,
      startAt,
      ...this.legalDates(),
      ...{ srid, type: intake.type, submittedTime: now, groupId: null },
      ...sealIntake(await sealingKeys(this.vault, this.ws), this.ws, intake),
      fingerprint: srid,
    });
    if (typeof admitted === 'string') throw new Error(`refused: ${admitted}`);
    return admitted;
  }

  /** Of a request that is received now, for `gdpr` in UTC. */
  legalDates(): LegalDates {
    const since = this.clock.now();
    const dueAt = legalDueAt('gdpr', since, DEFAULT_LEGAL_CALENDAR);
    return legalDates({ legalSince: since, legalDueAt: dueAt, workspaceClass: 'gold' });
  }

  /** As an operator does it. */
  extend({ srid }: Pick<RequestDocument, 'srid'>): Promise<ExtendedDeadline | ExtensionRefusal> {
    const { deadlines, vault } = this;
    return extendDeadline(
      { deadlines, vault, note: () => Promise.resolve() },
      {
        ...{ ws: this.ws, srid, by: 'privacy-office', reason: 'Ann is on leave' },
        ...{ at: this.clock.now(), calendar: DEFAULT_LEGAL_CALENDAR },
      },
    );
  }

  /** A relay that knows of a log how far its readers are. */
  relayBy(log: Pick<EventLog, 'lag'>): RelayWorker {
    return new RelayWorker(
      this.store,
      this.commandPublisher,
      new AnsweredCommands(log, { log: silentLogger, keepMs: GAPS.firstGapMs }),
      {
        clock: this.clock,
        gaps: GAPS,
        deadlineMs: DEADLINE_MS,
      },
    );
  }

  find = async ({ srid }: Pick<RequestDocument, 'srid'>): Promise<RequestDocument> =>
    (await this.store.find(this.ws, srid)) as RequestDocument;

  /** The first `count` commands of the log, as the request service reads them. */
  async commands(count: number): Promise<Command[]> {
    return (await this.records(TOPICS.commands.name, count)).map((record) => commands.decode(record));
  }

  /** At least the first `count` records of a topic. */
  async records(topic: string, count: number): Promise<LogRecord[]> {
    const seen: LogRecord[] = [];
    await new Promise<void>((resolve, reject) => {
      const { parking } = this;
      this.parts.log
        .consume({
          group: 'reader',
          topics: [topic],
          parking,
          isInfrastructureError: () => false,
          onFatal: reject,
          handle: (records) => {
            seen.push(...records);
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
