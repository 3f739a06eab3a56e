import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { beforeBody, type EdgeAdapter } from '@opendsr-service/edge';
import { LogStrategy, ParkedStore, type Log as EventLog } from '@opendsr-service/messaging';
import { isInfrastructureError, Poller, type Clock, type Log, type ServiceParts } from '@opendsr-service/runtime';
import { ensureIndexes } from '@opendsr-service/storage';
import type { Vault } from '@opendsr-service/vault';
import type { Workspaces } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import { ErasureWorker } from './erasure/erasure.worker';
import { ErasuresConsumer } from './erasure/erasures.consumer';
import { ErasuresStore } from './erasure/erasures.store';
import { ExportsController } from './exports/exports.controller';
import { admitLongOrders } from './exports/order-size';
import { ProfileExport } from './exports/profile-export';
import { IdentitiesStore } from './identities/identities.store';
import { IdentityLocks } from './identities/identity-locks.store';
import { Subjects } from './identities/subjects.store';
import { authenticate, isIngestPath } from './intake/caller';
import { EventsController } from './intake/events.controller';
import { IdentifyController } from './intake/identify.controller';
import { Intake } from './intake/intake';
import { AttributesConsumer } from './profiles/attributes.consumer';
import { BatchesConsumer } from './profiles/batches.consumer';
import { BatchesStore } from './profiles/batches.store';
import { ProfilesStore } from './profiles/profiles.store';
import { ServiceTokenGuard } from './service-token.guard';
import { CLOCK, INGESTION_DATA_GROUP, INGESTION_REQUESTS_GROUP, LOG, SUBJECTS, VAULT } from './tokens';

export { isIngestPath } from './intake/caller';
export { ProfileExport, type ExportItem } from './exports/profile-export';

/** What ingestion needs from the process that it runs in. */
export interface IngestionParts {
  /** Its own database. */
  readonly connection: Connection;
  readonly events: EventLog;
  readonly vault: Vault;
  readonly workspaces: Workspaces;
  readonly clock: Clock;
  readonly log: Log;
  /** What other services show on internal routes. */
  readonly serviceToken: string;
  readonly polls: { readonly erasureMs: number };
  readonly erasureSecondPassMs: number;
}

@Module({})
export class IngestionModule {
  static register(parts: IngestionParts): DynamicModule {
    const { connection, vault, clock, log } = parts;
    const { publisher } = parts.events;
    const profiles = new ProfilesStore(connection);
    const batches = new BatchesStore(connection);
    const identities = new IdentitiesStore(connection);
    const erasures = new ErasuresStore(connection);
    const subjects = new Subjects({ identities, locks: new IdentityLocks(connection), profiles }, vault, clock);
    const stores = { erasures, subjects, profiles, identities, batches };
    return {
      module: IngestionModule,
      controllers: [IdentifyController, EventsController, ExportsController, AttributesConsumer, BatchesConsumer, ErasuresConsumer],
      providers: [
        { provide: ProfilesStore, useValue: profiles },
        { provide: BatchesStore, useValue: batches },
        { provide: ErasuresStore, useValue: erasures },
        { provide: SUBJECTS, useValue: subjects },
        { provide: Intake, useValue: new Intake(publisher, clock) },
        { provide: ProfileExport, useValue: new ProfileExport({ subjects, identities, batches }, vault) },
        { provide: ErasureWorker, useValue: new ErasureWorker(stores, { vault, publisher, clock, log }, parts.erasureSecondPassMs) },
        { provide: ServiceTokenGuard, useValue: new ServiceTokenGuard(parts.serviceToken) },
        { provide: VAULT, useValue: vault },
        { provide: CLOCK, useValue: clock },
        { provide: LOG, useValue: log },
      ],
    };
  }
}

/** What runs beside ingestion's routes: the data on its way into profiles, and erasures. Call it before the application is initialised. */
export function ingestionService(app: INestApplication, parts: IngestionParts, { log, fatal }: { log: Log; fatal: (error: unknown) => void }): ServiceParts {
  const { connection, events, polls, workspaces } = parts;
  const adapter = app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter;
  beforeBody(adapter, isIngestPath, (http) => authenticate(http, workspaces));
  admitLongOrders(adapter);
  const erasure = app.get(ErasureWorker);
  const consumer = { log: events, parking: new ParkedStore(connection), isInfrastructureError, onFatal: fatal, logger: log };
  return {
    prepare: [{ name: 'ingestion indexes', run: () => ensureIndexes(connection) }],
    consumers: [
      new LogStrategy({ ...consumer, transport: INGESTION_DATA_GROUP, group: 'ingestion-data' }),
      new LogStrategy({ ...consumer, transport: INGESTION_REQUESTS_GROUP, group: 'ingestion-requests' }),
    ],
    pollers: [new Poller({ name: 'erasure', intervalMs: polls.erasureMs, run: () => erasure.runOnce(), log })],
  };
}
