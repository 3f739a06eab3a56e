import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { beforeBody, type EdgeAdapter, SERVICE_TOKEN } from '@opendsr-service/edge';
import { LogStrategy, ParkedStore, type Log as EventLog } from '@opendsr-service/messaging';
import { Poller, type Clock, type Host, type Log, type Mounted, type ServiceParts } from '@opendsr-service/runtime';
import { ensureIndexes, isStorageUnavailable, type Storage } from '@opendsr-service/storage';
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
import type { IngestionValues } from './ingestion.config';
import { authenticate, isIngestPath } from './intake/caller';
import { EventsController } from './intake/events.controller';
import { IdentifyController } from './intake/identify.controller';
import { Intake } from './intake/intake';
import { AttributesConsumer } from './profiles/attributes.consumer';
import { BatchesConsumer } from './profiles/batches.consumer';
import { BatchesStore } from './profiles/batches.store';
import { ProfilesStore } from './profiles/profiles.store';
import { CLOCK, INGESTION_DATA_GROUP, INGESTION_REQUESTS_GROUP, LOG, SUBJECTS, VAULT } from './tokens';

export { isIngestPath } from './intake/caller';
export { ProfileExport, type ExportItem } from './exports/profile-export';

/** What ingestion needs from the process that it runs in. */
export interface IngestionParts {
  /** Its own database. */
  readonly connection: Connection;
  /** Whether no other process serves on this database: then claims that it finds are those of a dead one. */
  readonly isAlone: boolean;
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

function storesOf({ connection, vault, clock }: IngestionParts) {
  const profiles = new ProfilesStore(connection);
  const identities = new IdentitiesStore(connection);
  const subjects = new Subjects({ identities, locks: new IdentityLocks(connection), profiles }, vault, clock);
  return { subjects, profiles, identities, batches: new BatchesStore(connection), erasures: new ErasuresStore(connection) };
}

@Module({})
export class IngestionModule {
  static register(parts: IngestionParts, stores: ReturnType<typeof storesOf>, exports: ProfileExport): DynamicModule {
    const { vault, clock, log } = parts;
    const { publisher } = parts.events;
    return {
      module: IngestionModule,
      controllers: [IdentifyController, EventsController, ExportsController, AttributesConsumer, BatchesConsumer, ErasuresConsumer],
      providers: [
        { provide: ProfilesStore, useValue: stores.profiles },
        { provide: BatchesStore, useValue: stores.batches },
        { provide: ErasuresStore, useValue: stores.erasures },
        { provide: SUBJECTS, useValue: stores.subjects },
        { provide: Intake, useValue: new Intake(publisher, clock) },
        { provide: ProfileExport, useValue: exports },
        { provide: ErasureWorker, useValue: new ErasureWorker(stores, { vault, publisher, clock, log }, parts.erasureSecondPassMs) },
        { provide: SERVICE_TOKEN, useValue: parts.serviceToken },
        { provide: VAULT, useValue: vault },
        { provide: CLOCK, useValue: clock },
        { provide: LOG, useValue: log },
      ],
    };
  }
}

/** What the process has opened, for all of its services. */
export interface IngestionPlatform extends Pick<IngestionParts, 'events' | 'vault' | 'workspaces' | 'clock' | 'log' | 'serviceToken'> {
  readonly storage: Storage;
}

/** Mounts ingestion in a process. `exports` is where results in the same process gets its data from. */
export async function mountIngestion(
  platform: IngestionPlatform,
  values: Pick<IngestionValues, 'WORKER_POLL_MS' | 'ERASURE_SECOND_PASS_MS'>,
): Promise<Mounted & { readonly exports: ProfileExport }> {
  const parts: IngestionParts = {
    ...platform,
    connection: await platform.storage.database('ingestion'),
    isAlone: platform.storage.kind === 'embedded',
    polls: { erasureMs: values.WORKER_POLL_MS },
    erasureSecondPassMs: values.ERASURE_SECOND_PASS_MS,
  };
  const stores = storesOf(parts);
  const exports = new ProfileExport(stores, parts.vault);
  return { module: IngestionModule.register(parts, stores, exports), service: (app, host) => ingestionService(app, parts, host), exports };
}

/** What runs beside ingestion's routes: the data on its way into profiles, and erasures. */
function ingestionService(app: INestApplication, parts: IngestionParts, { log, fatal }: Host): ServiceParts {
  const { connection, events, polls, workspaces } = parts;
  const adapter = app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter;
  beforeBody(adapter, isIngestPath, (http) => authenticate(http, workspaces));
  admitLongOrders(adapter);
  const erasure = app.get(ErasureWorker);
  const consumer = { log: events, parking: new ParkedStore(connection), isInfrastructureError: isStorageUnavailable, onFatal: fatal, logger: log };
  return {
    prepare: [
      { name: 'ingestion indexes', run: () => ensureIndexes(connection) },
      { name: 'claims', run: () => parts.isAlone ? app.get(ErasuresStore).releaseClaims(parts.clock.now()) : undefined },
    ],
    consumers: [
      new LogStrategy({ ...consumer, transport: INGESTION_DATA_GROUP, group: 'ingestion-data' }),
      new LogStrategy({ ...consumer, transport: INGESTION_REQUESTS_GROUP, group: 'ingestion-requests' }),
    ],
    pollers: [new Poller({ name: 'erasure', intervalMs: polls.erasureMs, run: () => erasure.runOnce(), log })],
  };
}
