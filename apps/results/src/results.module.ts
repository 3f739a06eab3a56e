import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { SERVICE_TOKEN } from '@opendsr-service/edge';
import { LogStrategy, ParkedStore, type Log as EventLog } from '@opendsr-service/messaging';
import { Poller, type Clock, type Host, type Log, type Mounted, type ServiceParts } from '@opendsr-service/runtime';
import { ensureIndexes, isStorageUnavailable, type Storage } from '@opendsr-service/storage';
import type { LinkKeys, Vault } from '@opendsr-service/vault';
import type { Connection } from 'mongoose';
import { ArchivesConsumer } from './archives/archives.consumer';
import { ArchivesStore } from './archives/archives.store';
import { BuildWorker } from './archives/build.worker';
import { ChunksStore } from './archives/chunks.store';
import { ResultsDownload } from './download/results-download';
import { ResultsController } from './download/results.controller';
import type { ExportSource } from './export/export-source';
import type { ResultsValues } from './results.config';
import { SweepWorker } from './sweep/sweep.worker';
import { CLOCK, RESULTS_GROUP, VALIDITY_MS } from './tokens';

export { ResultsDownload, type ResultsAnswer } from './download/results-download';
export { IngestionClient } from './export/ingestion.client';
export type { ExportItem, ExportOrder, ExportSource } from './export/export-source';

/** What results needs from the process that it runs in. */
export interface ResultsParts {
  /** Its own database. */
  readonly connection: Connection;
  /** Whether no other process serves on this database: then claims that it finds are those of a dead one. */
  readonly isAlone: boolean;
  readonly events: EventLog;
  readonly vault: Vault;
  readonly linkKeys: LinkKeys;
  readonly source: ExportSource;
  readonly clock: Clock;
  readonly log: Log;
  /** What other services show on internal routes. */
  readonly serviceToken: string;
  readonly validityMs: number;
  readonly polls: { readonly buildMs: number; readonly sweepMs: number };
}

function storesOf({ connection }: ResultsParts) {
  return { archives: new ArchivesStore(connection), chunks: new ChunksStore(connection) };
}

@Module({})
export class ResultsModule {
  static register(parts: ResultsParts, stores: ReturnType<typeof storesOf>, downloads: ResultsDownload): DynamicModule {
    const { vault, clock, log, source } = parts;
    return {
      module: ResultsModule,
      controllers: [ResultsController, ArchivesConsumer],
      providers: [
        { provide: ArchivesStore, useValue: stores.archives },
        { provide: ResultsDownload, useValue: downloads },
        { provide: BuildWorker, useValue: new BuildWorker({ ...stores, source, vault, publisher: parts.events.publisher, clock, log }) },
        { provide: SweepWorker, useValue: new SweepWorker(stores, vault, clock) },
        { provide: SERVICE_TOKEN, useValue: parts.serviceToken },
        { provide: CLOCK, useValue: clock },
        { provide: VALIDITY_MS, useValue: parts.validityMs },
      ],
    };
  }
}

/** What the process has opened, for all of its services. */
export interface ResultsPlatform extends Pick<ResultsParts, 'events' | 'vault' | 'linkKeys' | 'clock' | 'log' | 'serviceToken'> {
  readonly storage: Storage;
}

/** Mounts results in a process. `downloads` is where a gateway in the same process gets archives from. */
export async function mountResults(
  platform: ResultsPlatform,
  values: Pick<ResultsValues, 'RESULTS_VALIDITY_MS' | 'WORKER_POLL_MS' | 'SWEEP_POLL_MS'>,
  source: ExportSource,
): Promise<Mounted & { readonly downloads: ResultsDownload }> {
  const parts: ResultsParts = {
    ...platform,
    connection: await platform.storage.database('results'),
    isAlone: platform.storage.kind === 'embedded',
    source,
    validityMs: values.RESULTS_VALIDITY_MS,
    polls: { buildMs: values.WORKER_POLL_MS, sweepMs: values.SWEEP_POLL_MS },
  };
  const stores = storesOf(parts);
  const downloads = new ResultsDownload({ ...stores, linkKeys: parts.linkKeys, vault: parts.vault, clock: parts.clock });
  return { module: ResultsModule.register(parts, stores, downloads), service: (app, host) => resultsService(app, parts, host), downloads };
}

/** What runs beside the download: the archives that are due, and those that have expired. */
function resultsService(app: INestApplication, parts: ResultsParts, { log, fatal }: Host): ServiceParts {
  const { connection, events, polls } = parts;
  const build = app.get(BuildWorker);
  const sweep = app.get(SweepWorker);
  const parking = new ParkedStore(connection);
  return {
    prepare: [
      { name: 'results indexes', run: () => ensureIndexes(connection) },
      { name: 'claims', run: () => parts.isAlone ? app.get(ArchivesStore).releaseClaims(parts.clock.now()) : undefined },
    ],
    consumers: [new LogStrategy({ log: events, transport: RESULTS_GROUP, group: 'results', parking, isInfrastructureError: isStorageUnavailable, onFatal: fatal, logger: log })],
    pollers: [
      new Poller({ name: 'archives', intervalMs: polls.buildMs, run: () => build.runOnce(), log }),
      new Poller({ name: 'expiry', intervalMs: polls.sweepMs, run: () => sweep.runOnce(), log }),
    ],
  };
}
