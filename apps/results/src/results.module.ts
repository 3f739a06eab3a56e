import { Module } from '@nestjs/common';
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
  type HostedService,
  type Logger,
  type ServiceParts,
} from '@opendsr-service/service';
import { ParkedRecords, type OwnDocuments } from '@opendsr-service/operator-answers';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { foldTombstones, type LinkKeys, type MasterSeal, type Vault } from '@opendsr-service/vault';
import { builtInReportKey } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import { RequestEventsConsumer } from './requests/request-events.consumer';
import { ArchivesStore } from './archives/archives.store';
import { BuildWorker } from './archives/build.worker';
import { Withdrawal } from './archives/withdrawal';
import { storesOn } from './database.config';
import { ResultsDownload } from './download/results-download';
import { ResultsController } from './download/results.controller';
import { ArchiveErasureWorker } from './erasure/archive-erasure.worker';
import { ErasuresStore } from './erasure/erasures.store';
import type { ExportSource } from './export/export-source';
import { overdueIn } from './measures/work.measures.store';
import { ParticipantReports } from './reports/reports.client';
import type { ResultsValues } from './results.config';
import { SweepWorker } from './sweep/sweep.worker';
import { RESULTS_GROUP, VALIDITY, type Validity } from './tokens';
import { shareState } from './requests/shown-share.store';

export { ResultsDownload, type DownloadResult } from './download/results-download';
export { IngestionClient } from './export/ingestion.client';
export type { ExportOrder, ExportSource } from './export/export-source';

@Module({})
class ResultsModule {}

export interface ResultsPlatform {
  readonly storage: Storage;
  readonly events: EventLog;
  readonly vault: Vault;
  readonly linkKeys: LinkKeys;
  /** Source of the key that signs the reports. */
  readonly seal: MasterSeal;
  readonly clock: Clock;
  readonly log: Logger;
  readonly serviceTokens: ServiceTokens;
}

type Values = Pick<
  ResultsValues,
  'RESULTS_VALIDITY_MS' | 'ERASURE_SECOND_PASS_MS' | 'WORKER_POLL_MS' | 'SWEEP_POLL_MS' | 'METRICS_INTERVAL_MS'
>;

function openParts(platform: ResultsPlatform, connection: Connection, values: Values, source: ExportSource) {
  const { events, vault, seal, clock, log } = platform;
  const stores = storesOn(connection);
  const reports = new ParticipantReports(events.publisher, builtInReportKey(seal, PARTICIPANTS.results), clock);
  const withdrawal = new Withdrawal(stores, vault, clock);
  return {
    ...platform,
    ...{ connection, stores, withdrawal },
    builds: new BuildWorker({ ...stores, source, vault, reports, clock, log }),
    erasures: new ArchiveErasureWorker({ ...stores, withdrawal, reports, clock, log }, values.ERASURE_SECOND_PASS_MS),
    validity: { clock, validityMs: values.RESULTS_VALIDITY_MS } satisfies Validity,
  };
}

/** `downloads` serves a gateway in the same process. */
export async function mountResults(
  platform: ResultsPlatform,
  values: Values,
  source: ExportSource,
): Promise<HostedService & { readonly downloads: ResultsDownload; readonly operator: OwnDocuments }> {
  const connection = await platform.storage.database('results');
  const parts = openParts(platform, connection, values, source);
  const { stores, linkKeys, vault, clock, validity } = parts;
  const downloads = new ResultsDownload({ ...stores, linkKeys, vault, ...validity });
  return {
    module: {
      module: ResultsModule,
      controllers: [ResultsController, RequestEventsConsumer],
      providers: [
        { provide: ArchivesStore, useValue: stores.archives },
        { provide: ErasuresStore, useValue: stores.erasures },
        { provide: ResultsDownload, useValue: downloads },
        { provide: BuildWorker, useValue: parts.builds },
        { provide: SERVICE_TOKENS, useValue: parts.serviceTokens },
        { provide: VALIDITY, useValue: validity },
      ],
    },
    service: (_app, host) => resultsService(parts, values, host),
    downloads,
    operator: {
      parked: new ParkedRecords('results', connection, () => clock.now().getTime()),
      requestState: (ws, srid) => shareState(connection, ws, srid),
    },
  };
}

function resultsService(parts: ReturnType<typeof openParts>, values: Values, host: Host): ServiceParts {
  const { storage, connection, events, stores, withdrawal, vault, clock } = parts;
  const { WORKER_POLL_MS: pollMs, SWEEP_POLL_MS: sweepMs, METRICS_INTERVAL_MS: metricsMs } = values;
  const { log } = host;
  const builds = parts.builds.work;
  const erasures = parts.erasures.work;
  const sweep = new SweepWorker(stores, vault, clock);
  const measures = storeGauges([overdueWorkGauge(clock, overdueIn(connection))], { everyMs: metricsMs, log });
  const groups = openConsumerGroups(
    { events, connection, clock, transports: { results: RESULTS_GROUP }, redriveMs: pollMs, metricsMs },
    host,
  );
  const releaseClaims = async () => {
    // No other process uses an embedded database: its claims belong to a dead process.
    if (storage.kind !== 'embedded') return;
    await stores.archives.releaseClaims(clock.now());
    await stores.erasures.releaseClaims(clock.now());
  };
  return {
    prepare: [
      { name: 'results indexes', run: () => ensureIndexes(connection) },
      {
        name: 'results tombstones',
        run: () =>
          foldTombstones(events, { connection, key: vault.tombstoneKey }, (tombstones) =>
            withdrawal.replay(tombstones),
          ),
      },
      { name: 'claims', run: releaseClaims },
    ],
    consumers: groups.consumers,
    pollers: [
      builds.poller('archives', pollMs, log),
      erasures.poller('erasure of archives', pollMs, log),
      new Poller({ name: 'expiry', intervalMs: sweepMs, run: () => sweep.runOnce(), log }),
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
