import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { EdgeAdapter } from '@opendsr-service/edge';
import type { OwnDocuments } from '@opendsr-service/operator-answers';
import {
  DueSignal,
  openConsumerGroups,
  storeGauges,
  Poller,
  type Host,
  type HostedService,
  type ServiceParts,
} from '@opendsr-service/service';
import { ensureIndexes } from '@opendsr-service/storage';
import { foldTombstones } from '@opendsr-service/vault';
import { RateLimits } from '@opendsr-service/workspaces';
import { attestationPollers, openAttestations } from './attestations/attestations.wiring';
import { RequestAttestations } from './attestations/request-attestations';
import { SignatureCache } from './http/answers/signature-cache';
import { StatusRecords } from './http/answers/status-records';
import { RequestCallbacks } from './callbacks/request-callbacks';
import { LedgerStore } from './callbacks/ledger.store';
import { DeliveryEventsConsumer, FAILING_REQUESTS } from './callbacks/delivery-events.consumer';
import { CertificatesStore } from './http/discovery/certificates.store';
import { EndedPersonsStore } from './keys/ended-persons.store';
import { EndedRequestsWorker } from './keys/ended-requests.worker';
import { RequestKeysWorker } from './keys/request-keys.worker';
import { RequestKeysStore } from './keys/request-keys.store';
import { ageingGauge } from './measures/ageing-gauge';
import { AgeingMeasures } from './measures/ageing-measures.store';
import { gatewayMeasures, refusalMetric } from './measures/gateway-measures';
import { rotationMeasures } from './measures/rotation-measures';
import { cosignatureAgeGauge, offersMetric } from './measures/witness-measures';
import { AdmissionMeasures } from './measures/admission-measures.store';
import { ReceivedTooLate } from './admission/received-too-late';
import { StatusMetrics } from './admission/status-metrics';
import { admissionTimes, type SharedValues } from './gateway.config';
import { gatewayParts, type GatewayParts, type GatewayPlatform } from './gateway-parts.config';
import { documentsOf } from './openapi/documents';
import { AuditStore } from './audit/audit.store';
import { IdentitiesController } from './participants/identities.controller';
import { SharedIdentities } from './participants/shared-identities';
import { openChanges } from './operator/changes/changes.wiring';
import { operatorModule, operatorService } from './operator/operator.wiring';
import { CHANGE_LISTENER } from './admission/transition-listeners';
import { AnsweredCommands } from './workers/answered-commands.client';
import { RelayWorker } from './workers/relay.worker';
import { createRulesOf } from './intake/create-rules.config';
import { gatewayLimits } from './http/limits/gateway-limits';
import { guardRoutes } from './http/limits/guard-routes';
import { EVIDENCE_GROUP, EvidenceLeavesConsumer } from './evidence/evidence-leaves.consumer';
import { EvidenceLeaves } from './evidence/evidence-leaves';
import { evidencePollers, openTransparencyLog } from './evidence/transparency-log.wiring';
import { PublishedLog } from './evidence/published-log';
import { WitnessesStore } from './evidence/witnesses.store';
import { TransparencyController } from './http/transparency.controller';
import { Admissions } from './admission/admissions';
import { CommandPublisher } from './admission/command-publisher.client';
import { AdmissionsStore } from './admission/admissions.store';
import { EndedHere } from './admission/ended-here';
import type { ResultsSource } from './http/results/results-source';
import { versionControllers } from './http/version-controllers.wiring';
import { endedRequestsPoller, relayPoller, rotationPollers, startPoller } from './workers/pollers';
import { StartWorker } from './workers/start.worker';
import { INTAKE_RULES, RESULTS_SOURCE, SERVED_VERSIONS } from './http/tokens';
import { GATEWAY_GROUP } from './request-events/consumer-group';
import { RequestEventsConsumer } from './request-events/request-events.consumer';
import { AdmissionProjection } from './request-events/admission-projection';

export type { GatewayPlatform } from './gateway-parts.config';
export { openOperatorPlatform } from './operator/operator-platform.wiring';
export { Needs, OperatorGuard } from './operator/access/needs';
export { remoteUpstreams } from './operator/upstreams/open-upstreams.wiring';
export { consoleLinkLine, isOperatorPath, OPERATOR_ROOT } from './versions/operator-paths';
export { furtherListeners } from './versions/further-listeners';
export { ResultsClient } from './http/results/results.client';
export type { ResultsAnswer, ResultsSource } from './http/results/results-source';

const SANDBOX = { ws: 'sandbox', controllerId: 'sandbox' };
const RELAY_DEADLINE_MS = 15_000;

const protocolVersions = ({ versions }: Pick<GatewayParts, 'versions'>): ProtocolVersion[] =>
  versions.map(({ version }) => version);

@Module({})
class GatewayModule {}

/** What works in the gateway, and the module that serves its routes and takes its records. */
function openGateway(parts: GatewayParts) {
  const { connection, clock, events, linkKeys, participants, values, vault } = parts;
  const { publisher } = events;
  const { REQUEST_KEY_KEEP_MS: keyKeepMs, REQUEST_KEY_KEEP_ERASED_MS: keepErasedMs } = values;
  const times = admissionTimes(values);
  const gaps = { firstGapMs: values.RELAY_FIRST_GAP_MS, longestGapMs: values.RELAY_LONGEST_GAP_MS };
  const statusChanges = new StatusMetrics(parts.log);
  const receivedTooLate = new ReceivedTooLate(parts.log);
  const keys = new RequestKeysStore(connection, keyKeepMs);
  const here = new EndedHere();
  const ledger = new LedgerStore(connection);
  const { feed, changes, failing } = openChanges(parts, ledger);
  const starts = new DueSignal();
  const listeners = { statusChanges, endedRequests: here, changes, starts };
  const admissions = new AdmissionsStore(connection, gaps.firstGapMs, listeners);
  const commands = new CommandPublisher(publisher);
  const log = openTransparencyLog(parts);
  const attestations = openAttestations(parts, log, { admissions, here });
  const signatures = new SignatureCache(values.SIGNED_ANSWERS_KEPT);
  const admission = new Admissions({ store: admissions, vault, publisher: commands, clock, times, receivedTooLate });
  const callbacks = new RequestCallbacks({ requests: admissions, ledger, vault, publisher, clock });
  const certificates = new CertificatesStore(connection);
  const audit = new AuditStore(connection);
  const operator = operatorModule(parts, {
    ...{ requests: admissions, ledger, admissions: admission, callbacks, log, feed, audit },
  });
  const servedVersions = new Map(parts.versions.map((served) => [served.version.apiVersion, served]));
  const projection = new AdmissionProjection(admissions, commands, clock, {
    publishWaitMs: times.publishWaitMs,
    keyKeepMs,
    ends: attestations.worker,
    changes,
  });
  const module: DynamicModule = {
    module: GatewayModule,
    controllers: [
      ...protocolVersions(parts).flatMap(versionControllers),
      ...[IdentitiesController, TransparencyController],
      ...[RequestEventsConsumer, DeliveryEventsConsumer, EvidenceLeavesConsumer],
      ...operator.controllers,
    ],
    providers: [
      { provide: CHANGE_LISTENER, useValue: changes },
      { provide: Admissions, useValue: admission },
      { provide: AdmissionProjection, useValue: projection },
      { provide: RequestKeysStore, useValue: keys },
      { provide: LedgerStore, useValue: ledger },
      { provide: FAILING_REQUESTS, useValue: failing },
      { provide: RequestCallbacks, useValue: callbacks },
      {
        provide: SharedIdentities,
        useValue: new SharedIdentities({ participants, requests: admissions, vault, audit, clock }),
      },
      { provide: StatusRecords, useValue: new StatusRecords(linkKeys, servedVersions, signatures, vault) },
      { provide: SignatureCache, useValue: signatures },
      { provide: CertificatesStore, useValue: certificates },
      { provide: RequestAttestations, useValue: attestations.answers },
      { provide: EvidenceLeaves, useValue: log.evidenceLeaves },
      { provide: PublishedLog, useValue: log.published },
      { provide: SERVED_VERSIONS, useValue: servedVersions },
      { provide: INTAKE_RULES, useValue: createRulesOf(values, parts.addresses) },
      { provide: RESULTS_SOURCE, useValue: parts.results },
      ...operator.providers,
    ],
  };
  const answered = new AnsweredCommands(events, { log: parts.log, keepMs: gaps.firstGapMs });
  return {
    ...{ module, statusChanges, receivedTooLate, keys, certificates, log, attestations },
    start: new StartWorker(admissions, commands, clock, {
      ...{ participants, signal: starts },
      publishWaitMs: times.publishWaitMs,
    }),
    relay: new RelayWorker(admissions, commands, answered, { clock, gaps, deadlineMs: RELAY_DEADLINE_MS }),
    keyWorker: new RequestKeysWorker(keys, vault, publisher, clock),
    endedRequests: new EndedRequestsWorker({
      ...{ keys, persons: new EndedPersonsStore(connection), vault, clock, here, keepErasedMs },
    }),
  };
}

/** Mounts the gateway in a process: its module, and the work that runs beside its routes. */
export async function mountGateway(
  platform: GatewayPlatform,
  values: SharedValues,
  results: ResultsSource,
): Promise<HostedService & { readonly operator: OwnDocuments }> {
  const parts = gatewayParts(platform, await platform.storage.database('gateway'), values, results);
  const gateway = openGateway(parts);
  return {
    module: gateway.module,
    service: (app, host) => gatewayService({ app, host }, parts, gateway),
    documents: documentsOf(parts.versions, parts.logSigner),
    operator: parts.documents,
  };
}

/** The gateway's boot steps, log consumer, pollers and metrics. */
function gatewayService(
  { app, host }: { readonly app: INestApplication; readonly host: Host },
  parts: GatewayParts,
  gateway: ReturnType<typeof openGateway>,
): ServiceParts {
  const { keys, certificates, start, attestations, log: transparency } = gateway;
  const { sequencer, witnessing } = transparency;
  const { connection, events, vault, workspaces, clock, rotation, values } = parts;
  const { WORKER_POLL_MS: startMs, RELAY_POLL_MS: relayMs, METRICS_INTERVAL_MS: metricsMs } = values;
  const { SWEEP_POLL_MS: keysMs, CHECKPOINT_POLL_MS: checkpointsMs } = values;
  const { SANDBOX_KEY: key, SANDBOX_SECRET: secret } = values;
  const { log } = host;
  const limits = new RateLimits(connection, () => clock.now().getTime(), log, parts.limitsTimeoutMs);
  const adapter = app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter;
  const byWorkspace = gatewayLimits(limits, values);
  guardRoutes(adapter, protocolVersions(parts), { workspaces, limits: byWorkspace });
  const operator = operatorService(app, parts, adapter, { limits, byAddress: byWorkspace });
  // Discovery names a certificate only once it is stored.
  parts.beforeRenewal?.((next) => certificates.save(next));
  const groups = openConsumerGroups(
    {
      events,
      connection,
      clock,
      transports: { gateway: GATEWAY_GROUP, evidence: EVIDENCE_GROUP },
      redriveMs: relayMs,
      metricsMs,
    },
    host,
  );
  const gauges = [
    ...gatewayMeasures(clock, new AdmissionMeasures(connection), transparency.published, rotation),
    ageingGauge(clock, new AgeingMeasures(connection)),
    cosignatureAgeGauge(clock, new WitnessesStore(connection), witnessing),
    ...rotationMeasures(clock, rotation),
  ];
  const measures = storeGauges(gauges, { everyMs: metricsMs, log });
  return {
    prepare: [
      { name: 'gateway indexes', run: () => ensureIndexes(connection, { optional: parts.operator !== undefined }) },
      {
        name: 'gateway tombstones',
        run: () =>
          foldTombstones(events, { connection, key: vault.tombstoneKey }, (tombstones) =>
            keys.applyTombstones(tombstones),
          ),
      },
      { name: 'leaves', run: () => transparency.evidenceLeaves.catchUp() },
      { name: 'certificates', run: () => Promise.all(parts.versions.map(({ signer }) => certificates.save(signer))) },
      {
        name: 'sandbox workspace',
        run: () => (key && secret ? workspaces.ensureSandbox({ ...SANDBOX, key, secret }) : undefined),
      },
    ],
    consumers: groups.consumers,
    pollers: [
      startPoller(start, startMs, log),
      relayPoller(gateway.relay, relayMs, log),
      endedRequestsPoller(gateway.endedRequests, keysMs, log),
      new Poller({ name: 'request keys', intervalMs: keysMs, run: () => gateway.keyWorker.runOnce(), log }),
      ...attestationPollers(attestations, { checkpointsMs, keysMs }, log),
      ...evidencePollers(transparency, { checkpointsMs, keysMs }, log),
      ...operator.pollers,
      ...rotationPollers(rotation, keysMs, log),
      ...measures.pollers,
      ...groups.pollers,
    ],
    leaving: operator.leaving,
    closing: [
      { name: 'attestations', run: () => attestations.worker.release() },
      { name: 'budgets', run: () => limits.close() },
    ],
    metrics: [
      ...limits.metrics,
      ...measures.metrics,
      ...groups.metrics,
      ...operator.metrics,
      gateway.statusChanges.metric,
      attestations.counts.metric,
      refusalMetric(sequencer),
      offersMetric(witnessing),
      gateway.receivedTooLate.metric,
    ],
  };
}
