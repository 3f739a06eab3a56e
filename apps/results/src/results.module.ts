import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { PARTICIPANTS } from '@opendsr-service/contracts';
import { SERVICE_TOKENS, type ServiceTokens } from '@opendsr-service/edge';
import type { EventLog } from '@opendsr-service/messaging';
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
import { foldTombstones, type LinkKeys, type MasterSeal, type Vault } from '@opendsr-service/vault';
import { builtInReportKey } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import { ArchiveSubjectsStore } from './archives/archive-subjects.store';
import { RequestEventsConsumer } from './requests/request-events.consumer';
import { ArchivesStore } from './archives/archives.store';
import { BuildWorker } from './archives/build.worker';
import { ChunksStore } from './archives/chunks.store';
import { Withdrawal } from './archives/withdrawal';
import { ResultsDownload } from './download/results-download';
import { ResultsController } from './download/results.controller';
import { ErasedSubjectsStore } from './archives/erased-subjects.store';
import { ErasureWorker } from './erasure/erasure.worker';
import { ErasuresStore } from './erasure/erasures.store';
import type { ExportSource } from './export/export-source';
import { overdueIn } from './measures/work.measures.store';
import { ParticipantReports } from './reports/reports.client';
import type { ResultsValues } from './results.config';
import { SweepWorker } from './sweep/sweep.worker';
import { RESULTS_GROUP, VALIDITY, type Validity } from './tokens';
import { requestStateOf } from './requests/request-state.store';

export { ResultsDownload, type DownloadResult } from './download/results-download';
export { IngestionClient } from './export/ingestion.client';
export type { ExportOrder, ExportSource } from './export/export-source';

interface ResultsParts {
  readonly connection: Connection;
  /** No other process uses this database: the claims in it belong to a dead process. */
  readonly isAlone: boolean;
  readonly events: EventLog;
  readonly vault: Vault;
  readonly linkKeys: LinkKeys;
  /** Source of the key that signs the reports. */
  readonly seal: MasterSeal;
  readonly source: ExportSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly serviceTokens: ServiceTokens;
  readonly validityMs: number;
  readonly polls: { readonly workerMs: number; readonly sweepMs: number; readonly metricsMs: number };
  readonly erasureSecondPassMs: number;
}

function storesOf({ connection }: ResultsParts) {
  return {
    archives: new ArchivesStore(connection),
    chunks: new ChunksStore(connection),
    subjects: new ArchiveSubjectsStore(connection),
    erasures: new ErasuresStore(connection),
    erasedSubjects: new ErasedSubjectsStore(connection),
  };
}

@Module({})
export class ResultsModule {
  static register(parts: ResultsParts, stores: ReturnType<typeof storesOf>, downloads: ResultsDownload): DynamicModule {
    const { vault, clock, log, source } = parts;
    const reports = new ParticipantReports(
      parts.events.publisher,
      builtInReportKey(parts.seal, PARTICIPANTS.results),
      clock,
    );
    const withdrawal = new Withdrawal(stores, vault, clock);
    return {
      module: ResultsModule,
      controllers: [ResultsController, RequestEventsConsumer],
      providers: [
        { provide: ArchivesStore, useValue: stores.archives },
        { provide: ErasuresStore, useValue: stores.erasures },
        { provide: ResultsDownload, useValue: downloads },
        { provide: Withdrawal, useValue: withdrawal },
        { provide: BuildWorker, useValue: new BuildWorker({ ...stores, source, vault, reports, clock, log }) },
        {
          provide: ErasureWorker,
          useValue: new ErasureWorker({ ...stores, withdrawal, reports, clock, log }, parts.erasureSecondPassMs),
        },
        { provide: SweepWorker, useValue: new SweepWorker(stores, vault, clock) },
        { provide: SERVICE_TOKENS, useValue: parts.serviceTokens },
        { provide: VALIDITY, useValue: parts satisfies Validity },
      ],
    };
  }
}

export interface ResultsPlatform extends Pick<
  ResultsParts,
  'events' | 'vault' | 'linkKeys' | 'seal' | 'clock' | 'log' | 'serviceTokens'
> {
  readonly storage: Storage;
}

/** `downloads` serves a gateway in the same process. */
export async function mountResults(
  platform: ResultsPlatform,
  values: Pick<
    ResultsValues,
    'RESULTS_VALIDITY_MS' | 'ERASURE_SECOND_PASS_MS' | 'WORKER_POLL_MS' | 'SWEEP_POLL_MS' | 'METRICS_INTERVAL_MS'
  >,
  source: ExportSource,
): Promise<HostedService & { readonly downloads: ResultsDownload; readonly operator: OwnDocuments }> {
  const parts: ResultsParts = {
    ...platform,
    connection: await platform.storage.database('results'),
    isAlone: platform.storage.kind === 'embedded',
    source,
    validityMs: values.RESULTS_VALIDITY_MS,
    polls: { workerMs: values.WORKER_POLL_MS, sweepMs: values.SWEEP_POLL_MS, metricsMs: values.METRICS_INTERVAL_MS },
    erasureSecondPassMs: values.ERASURE_SECOND_PASS_MS,
  };
  const stores = storesOf(parts);
  const { linkKeys, vault, clock, validityMs } = parts;
  const downloads = new ResultsDownload({ ...stores, linkKeys, vault, clock, validityMs });
  return {
    module: ResultsModule.register(parts, stores, downloads),
    service: (app, host) => resultsService(app, parts, host),
    downloads,
    operator: {
      parked: new ParkedRecords('results', parts.connection, () => clock.now().getTime()),
      requestState: (ws, srid) => requestStateOf(parts.connection, ws, srid),
    },
  };
}

function resultsService(app: INestApplication, parts: ResultsParts, host: Host): ServiceParts {
  const { connection, events, polls, clock } = parts;
  const { log } = host;
  const builds = app.get(BuildWorker).work;
  const erasures = app.get(ErasureWorker).work;
  const sweep = app.get(SweepWorker);
  const withdrawal = app.get(Withdrawal);
  const measures = storeGauges([overdueWorkGauge(clock, overdueIn(connection))], { everyMs: polls.metricsMs, log });
  const groups = openConsumerGroups(
    {
      events,
      connection,
      clock,
      transports: { results: RESULTS_GROUP },
      redriveMs: polls.workerMs,
      metricsMs: polls.metricsMs,
    },
    host,
  );
  return {
    prepare: [
      { name: 'results indexes', run: () => ensureIndexes(connection) },
      {
        name: 'results tombstones',
        run: () => foldTombstones(events, connection, (tombstones) => withdrawal.replay(tombstones)),
      },
      { name: 'claims', run: () => (parts.isAlone ? releaseClaims(app, clock.now()) : undefined) },
    ],
    consumers: groups.consumers,
    pollers: [
      new Poller({
        name: 'archives',
        intervalMs: polls.workerMs,
        wokenBy: app.get(ArchivesStore).due,
        run: () => builds.runOnce(),
        dueInMs: () => builds.dueInMs(),
        log,
      }),
      new Poller({
        name: 'erasure of archives',
        intervalMs: polls.workerMs,
        wokenBy: app.get(ErasuresStore).due,
        run: () => erasures.runOnce(),
        dueInMs: () => erasures.dueInMs(),
        log,
      }),
      new Poller({ name: 'expiry', intervalMs: polls.sweepMs, run: () => sweep.runOnce(), log }),
      ...groups.pollers,
      ...measures.pollers,
    ],
    metrics: [...measures.metrics, ...groups.metrics],
    closing: [
      { name: 'archives', run: () => builds.stop() },
      { name: 'erasure of archives', run: () => erasures.stop() },
    ],
  };
}

async function releaseClaims(app: INestApplication, now: Date): Promise<void> {
  await app.get(ArchivesStore).releaseClaims(now);
  await app.get(ErasuresStore).releaseClaims(now);
}
