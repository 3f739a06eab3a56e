import { Module, type INestApplication } from '@nestjs/common';
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
import { ProfileErasureWorker } from './erasure/profile-erasure.worker';
import { ErasuresConsumer } from './erasure/erasures.consumer';
import { ErasuresStore } from './erasure/erasures.store';
import { ExportsController } from './exports/exports.controller';
import { admitLongOrders } from './exports/order-size';
import { ProfileExport } from './exports/profile-export';
import { AfterErasureCounts } from './identities/after-erasure';
import { IdentityLimit } from './identities/identity-limit';
import { storesOn } from './ingestion-stores.wiring';
import { type ingestionSettings, intakeRulesOf, type IngestionValues } from './ingestion.config';
import { BatchIntake } from './intake/batch-intake';
import { EventsController } from './intake/events.controller';
import { IdentityController } from './intake/identity.controller';
import { IngestPublisher } from './intake/ingest-publisher';
import { guardIntake } from './intake/intake-edge';
import { ModifyController } from './intake/modify.controller';
import { INTAKE_RULES } from './intake/rules';
import { overdueIn } from './measures/work.measures.store';
import document from './openapi/ingestion.json';
import { ingestLimits } from './limits/ingest-limits';
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
  type SubjectResolvers,
  VAULT,
} from './tokens';
import { erasureState } from './erasure/shown-erasure.store';

export { isIngestPath } from './intake/paths';
export { ProfileExport } from './exports/profile-export';

const SWEEP_PAGE = 500;

@Module({})
class IngestionModule {}

export interface IngestionPlatform {
  readonly storage: Storage;
  readonly events: EventLog;
  readonly vault: Vault;
  /** Source of the key that signs the reports. */
  readonly seal: MasterSeal;
  readonly workspaces: Workspaces;
  readonly clock: Clock;
  readonly log: Logger;
  readonly serviceTokens: ServiceTokens;
}

type Values = Pick<
  IngestionValues,
  'WORKER_POLL_MS' | 'SWEEP_POLL_MS' | 'METRICS_INTERVAL_MS' | 'ERASURE_SECOND_PASS_MS' | keyof typeof ingestionSettings
>;

function openParts(platform: IngestionPlatform, connection: Connection, values: Values) {
  const { events, vault, workspaces, clock, log } = platform;
  const { publisher } = events;
  const afterErasure = new AfterErasureCounts(log);
  const identityLimit = new IdentityLimit(values.INGEST_PROFILE_LIMIT_IDENTITIES, log);
  const stores = storesOn(connection, vault, clock, { afterErasure, identityLimit });
  const reportKey = builtInReportKey(platform.seal, PARTICIPANTS.ingestion);
  return {
    ...platform,
    ...{ connection, stores, afterErasure, rules: intakeRulesOf(values) },
    exports: new ProfileExport({ ...stores, workspaces }, vault, log),
    erasures: new ProfileErasureWorker(
      stores,
      { vault, publisher, workspaces, reportKey, clock, log },
      values.ERASURE_SECOND_PASS_MS,
    ).work,
  };
}

type Parts = ReturnType<typeof openParts>;

/** `exports` serves results in the same process. */
export async function mountIngestion(
  platform: IngestionPlatform,
  values: Values,
): Promise<HostedService & { readonly exports: ProfileExport; readonly operator: OwnDocuments }> {
  const connection = await platform.storage.database('ingestion');
  const parts = openParts(platform, connection, values);
  const { stores, events, vault, clock, exports } = parts;
  const subjects: SubjectResolvers = { verified: stores.subjects, unverified: stores.unverifiedSubjects };
  const publisher = new IngestPublisher(events.publisher, clock);
  return {
    module: {
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
        { provide: ParkedStore, useValue: stores.parked },
        { provide: ProfileKeys, useValue: new ProfileKeys(stores.profiles, vault) },
        { provide: ErasuresStore, useValue: stores.erasures },
        { provide: SUBJECTS, useValue: subjects },
        { provide: IngestPublisher, useValue: publisher },
        { provide: BatchIntake, useValue: new BatchIntake(subjects, publisher, vault) },
        { provide: INTAKE_RULES, useValue: parts.rules },
        { provide: ProfileExport, useValue: exports },
        { provide: SERVICE_TOKENS, useValue: parts.serviceTokens },
        { provide: VAULT, useValue: vault },
        { provide: PROFILE_LIMIT_BYTES, useValue: values.INGEST_PROFILE_LIMIT_BYTES },
        { provide: CLOCK, useValue: clock },
        { provide: LOG, useValue: parts.log },
      ],
    },
    service: (app, host) => ingestionService(app, parts, values, host),
    documents: [{ name: 'ingestion', title: document.info.title, document }],
    exports,
    operator: {
      parked: new ParkedRecords('ingestion', connection, () => clock.now().getTime()),
      requestState: (ws, srid) => erasureState(connection, ws, srid),
    },
  };
}

function ingestionService(app: INestApplication, parts: Parts, values: Values, host: Host): ServiceParts {
  const { log } = host;
  const { storage, connection, events, stores, vault, erasures, clock } = parts;
  const { WORKER_POLL_MS: pollMs, METRICS_INTERVAL_MS: metricsMs } = values;
  const adapter = app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter;
  const limits = new RateLimits(connection, () => clock.now().getTime(), log);
  guardIntake(adapter, { ...parts, limits: ingestLimits(limits, values), signatures: stores.signatures });
  admitLongOrders(adapter);
  const groups = openConsumerGroups(
    {
      events,
      connection,
      clock,
      transports: { 'ingestion-data': INGESTION_DATA_GROUP, 'ingestion-requests': INGESTION_REQUESTS_GROUP },
      redriveMs: pollMs,
      metricsMs,
    },
    host,
  );
  const measures = storeGauges([overdueWorkGauge(clock, overdueIn(connection))], { everyMs: metricsMs, log });
  // No other process uses an embedded database: its claims belong to a dead process.
  const releaseClaims = () => (storage.kind === 'embedded' ? stores.erasures.releaseClaims(clock.now()) : undefined);
  return {
    prepare: [
      { name: 'ingestion indexes', run: () => ensureIndexes(connection) },
      {
        name: 'tombstones',
        run: () =>
          foldTombstones(events, { connection, key: vault.tombstoneKey }, (tombstones) =>
            stores.removal.replay(tombstones),
          ),
      },
      { name: 'claims', run: releaseClaims },
    ],
    consumers: groups.consumers,
    pollers: [
      ...groups.pollers,
      erasures.poller('erasure', pollMs, log),
      new Poller({
        name: 'sweep',
        intervalMs: values.SWEEP_POLL_MS,
        run: () => sweepOnce(stores, clock.now(), values.SOURCE_REQUEST_KEEP_MS),
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
  { locks, sourceRequests, signatures }: Parts['stores'],
  now: Date,
  sourceRequestKeepMs: number,
): Promise<number> {
  const left = await locks.sweep(now, SWEEP_PAGE);
  const used = await signatures.sweep(now, SWEEP_PAGE);
  return left + used + (await sourceRequests.sweep(new Date(now.getTime() - sourceRequestKeepMs), SWEEP_PAGE));
}
