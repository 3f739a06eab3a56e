import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { PARTICIPANTS } from '@opendsr-service/contracts';
import { type EdgeAdapter, SERVICE_TOKENS, type ServiceTokens } from '@opendsr-service/edge';
import { ParkedStore, type EventLog } from '@opendsr-service/messaging';
import {
  openConsumerGroups,
  storeGauges,
  overdueWorkGauge,
  Poller,
  type Clock,
  type Host,
  type Logger,
  type HostedService,
  type ServiceParts,
} from '@opendsr-service/service';
import { ParkedRecords, type OwnDocuments } from '@opendsr-service/operator-answers';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { foldTombstones, type MasterSeal, type Vault } from '@opendsr-service/vault';
import { builtInReportKey, RateLimits, type Workspaces } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import { ErasureWorker } from './erasure/erasure.worker';
import { ErasuresConsumer } from './erasure/erasures.consumer';
import { ErasuresStore } from './erasure/erasures.store';
import { ReplayedErasures } from './erasure/replayed-erasures';
import { ExportsController } from './exports/exports.controller';
import { admitLongOrders } from './exports/order-size';
import { ProfileExport } from './exports/profile-export';
import { AfterErasureCounts } from './identities/after-erasure';
import { IdentityLimit } from './identities/identity-limit';
import type { SubjectResolvers } from './identities/subject';
import { storesOn, type IngestionStores } from './ingestion-stores.module';
import { type ingestionSettings, intakeRulesOf, type IngestionValues } from './ingestion.config';
import { BatchIntake } from './intake/batch-intake';
import { EventsController } from './intake/events.controller';
import { IdentityController } from './intake/identity.controller';
import { IngestPublisher } from './intake/ingest-publisher';
import { guardIntake } from './intake/intake-edge';
import { ModifyController } from './intake/modify.controller';
import { INTAKE_RULES, type IntakeRules } from './intake/rules';
import { overdueIn } from './measures/work.measures.store';
import document from './openapi/ingestion.json';
import { ingestLimits, type LimitValues } from './limits/ingest-limits';
import { AttributesConsumer } from './profiles/attributes.consumer';
import { BatchesConsumer } from './profiles/batches.consumer';
import { BatchesStore } from './profiles/batches.store';
import { ProfilesStore } from './profiles/profiles.store';
import { SourceRequestsStore } from './profiles/source-requests.store';
import { ProfileKeys } from './profiles/profile-keys';
import {
  CLOCK,
  INGESTION_DATA_GROUP,
  INGESTION_REQUESTS_GROUP,
  LOG,
  PROFILE_LIMIT_BYTES,
  SUBJECTS,
  VAULT,
} from './tokens';
import { requestStateOf } from './erasure/request-state.store';

export { isIngestPath } from './intake/paths';
export { ProfileExport } from './exports/profile-export';

const SWEEP_PAGE = 500;

interface IngestionParts {
  readonly connection: Connection;
  /** No other process uses this database: the claims in it belong to a dead process. */
  readonly isAlone: boolean;
  readonly events: EventLog;
  readonly vault: Vault;
  readonly seal: MasterSeal;
  readonly workspaces: Workspaces;
  readonly clock: Clock;
  readonly log: Logger;
  readonly serviceTokens: ServiceTokens;
  readonly intake: IntakeRules;
  readonly limits: LimitValues;
  readonly polls: { readonly erasureMs: number; readonly sweepMs: number; readonly metricsMs: number };
  readonly erasureSecondPassMs: number;
  readonly sourceRequestKeepMs: number;
  readonly profileLimitBytes: number;
}

@Module({})
export class IngestionModule {
  static register(parts: IngestionParts, stores: IngestionStores, exports: ProfileExport): DynamicModule {
    const { vault, clock, log } = parts;
    const { publisher } = parts.events;
    const reportKey = builtInReportKey(parts.seal, PARTICIPANTS.ingestion);
    const intake = new IngestPublisher(publisher, clock);
    const subjects: SubjectResolvers = { verified: stores.subjects, unverified: stores.unverifiedSubjects };
    return {
      module: IngestionModule,
      controllers: [
        IdentityController,
        ModifyController,
        EventsController,
        ExportsController,
        AttributesConsumer,
        BatchesConsumer,
        ErasuresConsumer,
      ],
      providers: [
        { provide: ProfilesStore, useValue: stores.profiles },
        { provide: BatchesStore, useValue: stores.batches },
        { provide: SourceRequestsStore, useValue: stores.sourceRequests },
        { provide: ParkedStore, useValue: new ParkedStore(parts.connection) },
        { provide: ProfileKeys, useValue: new ProfileKeys(stores.profiles, vault) },
        { provide: ErasuresStore, useValue: stores.erasures },
        { provide: SUBJECTS, useValue: subjects },
        { provide: IngestPublisher, useValue: intake },
        { provide: BatchIntake, useValue: new BatchIntake(subjects, intake, vault) },
        { provide: INTAKE_RULES, useValue: parts.intake },
        { provide: ProfileExport, useValue: exports },
        {
          provide: ErasureWorker,
          useValue: new ErasureWorker(
            stores,
            { vault, publisher, workspaces: parts.workspaces, reportKey, clock, log },
            parts.erasureSecondPassMs,
          ),
        },
        { provide: SERVICE_TOKENS, useValue: parts.serviceTokens },
        { provide: VAULT, useValue: vault },
        { provide: PROFILE_LIMIT_BYTES, useValue: parts.profileLimitBytes },
        { provide: CLOCK, useValue: clock },
        { provide: LOG, useValue: log },
      ],
    };
  }
}

export interface IngestionPlatform extends Pick<
  IngestionParts,
  'events' | 'vault' | 'seal' | 'workspaces' | 'clock' | 'log' | 'serviceTokens'
> {
  readonly storage: Storage;
}

/** `exports` serves results in the same process. */
export async function mountIngestion(
  platform: IngestionPlatform,
  values: Pick<
    IngestionValues,
    | 'WORKER_POLL_MS'
    | 'SWEEP_POLL_MS'
    | 'METRICS_INTERVAL_MS'
    | 'ERASURE_SECOND_PASS_MS'
    | keyof typeof ingestionSettings
  >,
): Promise<HostedService & { readonly exports: ProfileExport; readonly operator: OwnDocuments }> {
  const parts: IngestionParts = {
    ...platform,
    connection: await platform.storage.database('ingestion'),
    isAlone: platform.storage.kind === 'embedded',
    intake: intakeRulesOf(values),
    limits: values,
    polls: { erasureMs: values.WORKER_POLL_MS, sweepMs: values.SWEEP_POLL_MS, metricsMs: values.METRICS_INTERVAL_MS },
    erasureSecondPassMs: values.ERASURE_SECOND_PASS_MS,
    sourceRequestKeepMs: values.SOURCE_REQUEST_KEEP_MS,
    profileLimitBytes: values.INGEST_PROFILE_LIMIT_BYTES,
  };
  const afterErasure = new AfterErasureCounts(parts.log);
  const identityLimit = new IdentityLimit(values.INGEST_PROFILE_LIMIT_IDENTITIES, parts.log);
  const stores = storesOn(parts.connection, parts.vault, parts.clock, { afterErasure, identityLimit });
  const exports = new ProfileExport({ ...stores, workspaces: parts.workspaces }, parts.vault, parts.log);
  return {
    module: IngestionModule.register(parts, stores, exports),
    service: (app, host) => ingestionService(app, { ...parts, stores, afterErasure }, host),
    documents: [{ name: 'ingestion', title: document.info.title, document }],
    exports,
    operator: {
      parked: new ParkedRecords('ingestion', parts.connection, () => parts.clock.now().getTime()),
      requestState: (ws, srid) => requestStateOf(parts.connection, ws, srid),
    },
  };
}

function ingestionService(
  app: INestApplication,
  parts: IngestionParts & { readonly stores: IngestionStores; readonly afterErasure: AfterErasureCounts },
  host: Host,
): ServiceParts {
  const { log } = host;
  const { connection, events, polls, stores, clock } = parts;
  const adapter = app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter;
  const limits = new RateLimits(connection, () => clock.now().getTime(), log);
  guardIntake(adapter, {
    ...parts,
    rules: parts.intake,
    limits: ingestLimits(limits, parts.limits),
    signatures: stores.signatures,
  });
  admitLongOrders(adapter);
  const erasures = app.get(ErasureWorker).work;
  const groups = openConsumerGroups(
    {
      events,
      connection,
      clock,
      transports: { 'ingestion-data': INGESTION_DATA_GROUP, 'ingestion-requests': INGESTION_REQUESTS_GROUP },
      redriveMs: polls.erasureMs,
      metricsMs: polls.metricsMs,
    },
    host,
  );
  const measures = storeGauges([overdueWorkGauge(clock, overdueIn(connection))], { everyMs: polls.metricsMs, log });
  const replayed = new ReplayedErasures(stores, stores.removal);
  return {
    prepare: [
      { name: 'ingestion indexes', run: () => ensureIndexes(connection) },
      { name: 'tombstones', run: () => foldTombstones(events, connection, (tombstones) => replayed.apply(tombstones)) },
      { name: 'claims', run: () => (parts.isAlone ? stores.erasures.releaseClaims(clock.now()) : undefined) },
    ],
    consumers: groups.consumers,
    pollers: [
      ...groups.pollers,
      new Poller({
        name: 'erasure',
        intervalMs: polls.erasureMs,
        wokenBy: stores.erasures.due,
        run: () => erasures.runOnce(),
        dueInMs: () => erasures.dueInMs(),
        log,
      }),
      new Poller({
        name: 'sweep',
        intervalMs: polls.sweepMs,
        run: () => sweepOnce(stores, clock.now(), parts.sourceRequestKeepMs),
        log,
      }),
      ...measures.pollers,
    ],
    closing: [
      { name: 'erasures', run: () => erasures.stop() },
      { name: 'budgets', run: () => limits.close() },
    ],
    metrics: [
      {
        name: 'opendsr_after_erasure_calls_total',
        help: 'Calls that named an erased identity, by the policy that was applied.',
        labels: ['policy'],
        read: () => Object.entries(parts.afterErasure.values).map(([policy, value]) => ({ labels: { policy }, value })),
      },
      ...limits.metrics,
      ...measures.metrics,
      ...groups.metrics,
    ],
  };
}

async function sweepOnce(
  { locks, sourceRequests, signatures }: IngestionStores,
  now: Date,
  sourceRequestKeepMs: number,
): Promise<number> {
  const left = await locks.sweep(now, SWEEP_PAGE);
  const used = await signatures.sweep(now, SWEEP_PAGE);
  return left + used + (await sourceRequests.sweep(new Date(now.getTime() - sourceRequestKeepMs), SWEEP_PAGE));
}
