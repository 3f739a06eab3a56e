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
import { AttestationCounts } from './attestations/attestation-counts';
import { attestationPollers, openAttestations } from './attestations/attestations.module';
import { SignatureCache } from './http/answers/signature-cache';
import { StatusRecords } from './http/answers/status-records';
import { RequestCallbacks } from './callbacks/request-callbacks';
import { callbacksController } from './http/callbacks/callbacks.controller';
import { LedgerStore } from './callbacks/ledger.store';
import { DeliveryEventsConsumer, FAILING_REQUESTS } from './callbacks/delivery-events.consumer';
import { CallbackReplays } from './callbacks/replays.client';
import { CertificatesStore } from './http/discovery/certificates.store';
import { attestationsController } from './http/attestations/attestations.controller';
import { discoveryController } from './http/discovery/discovery.controller';
import { EndedPersonsStore } from './keys/ended-persons.store';
import { EndedRequestsWorker } from './keys/ended-requests.worker';
import { rotationPollers } from './keys/rotation-pollers';
import { RequestKeysWorker } from './keys/request-keys.worker';
import { RequestKeysStore } from './keys/request-keys.store';
import { ageingGauge } from './measures/ageing-gauge';
import { AgeingMeasures } from './measures/ageing-measures.store';
import { gatewayMeasures, refusalMetric } from './measures/gateway-measures';
import { LogMeasures } from './measures/log-measures.store';
import { rotationMeasures } from './measures/rotation-measures';
import { cosignatureAgeGauge, offersMetric } from './measures/witness-measures';
import { AdmissionMeasures } from './measures/admission-measures.store';
import { ReceivedTooLate } from './admission/received-too-late';
import { StatusMetrics } from './admission/status-metrics';
import {
  gatewayParts,
  type GatewayModuleValues,
  type GatewayParts,
  type GatewayPlatform,
} from './gateway-parts.config';
import { documentsOf } from './openapi/documents';
import { AuditStore } from './participants/audit.store';
import { IdentitiesController } from './participants/identities.controller';
import { SharedIdentities } from './participants/shared-identities';
import { openChanges } from './operator/changes/changes.module';
import { operatorModule, operatorService } from './operator/operator.module';
import { CHANGE_LISTENER } from './admission/transition-listeners';
import { AnsweredCommands } from './workers/answered-commands.client';
import { RelayWorker } from './workers/relay.worker';
import { gatewayLimits } from './http/limits/gateway-limits';
import { guardRoutes } from './http/limits/guard-routes';
import { EVIDENCE_GROUP, EvidenceLeavesConsumer } from './evidence/evidence-leaves.consumer';
import { EvidenceLeaves } from './evidence/evidence-leaves';
import { evidencePollers, logProviders, openTransparencyLog } from './evidence/transparency-log.module';
import { Sequencer } from './evidence/sequencer';
import { WitnessesStore } from './evidence/witnesses.store';
import type { Witnessing } from './evidence/witnessing';
import { TransparencyController } from './http/transparency.controller';
import { Admissions } from './admission/admissions';
import { CommandPublisher } from './admission/command-publisher.client';
import { requestsController } from './http/requests/requests.controller';
import { AdmissionsStore } from './admission/admissions.store';
import { EndedHere } from './admission/ended-here';
import { resultsController } from './http/results/results.controller';
import type { ResultsSource } from './http/results/results-source';
import { endedRequestsPoller, relayPoller, startPoller } from './workers/pollers';
import { StartWorker } from './workers/start.worker';
import { INTAKE_RULES, RESULTS_SOURCE, SERVED_VERSIONS, WITNESSES } from './http/tokens';
import { GATEWAY_GROUP } from './request-events/consumer-group';
import { RequestEventsConsumer } from './request-events/request-events.consumer';
import { AdmissionProjection } from './request-events/admission-projection';

export type { GatewayPlatform } from './gateway-parts.config';
export { openOperatorPlatform } from './operator/operator-platform.module';
export { Needs, OperatorGuard } from './operator/access/needs';
export { remoteUpstreams } from './operator/upstreams/open-upstreams.module';
export { consoleLinkLine, isOperatorPath, OPERATOR_ROOT } from './versions/operator-paths';
export { furtherListeners } from './versions/further-listeners';
export { ResultsClient } from './http/results/results.client';
export type { ResultsAnswer, ResultsSource } from './http/results/results-source';

const SANDBOX = { ws: 'sandbox', controllerId: 'sandbox' };
const RELAY_DEADLINE_MS = 15_000;

const protocolVersions = ({ versions }: Pick<GatewayParts, 'versions'>): ProtocolVersion[] =>
  versions.map(({ version }) => version);

@Module({})
export class GatewayModule {
  static register(parts: GatewayParts): DynamicModule {
    const { connection, clock, linkKeys, participants, times, vault } = parts;
    const { publisher } = parts.events;
    const statusChanges = new StatusMetrics(parts.log);
    const receivedTooLate = new ReceivedTooLate(parts.log);
    const keys = new RequestKeysStore(connection, parts.keyKeepMs);
    const here = new EndedHere();
    const endedRequests = new EndedRequestsWorker({
      keys,
      persons: new EndedPersonsStore(connection),
      vault,
      clock,
      keepErasedMs: parts.keyKeepErasedMs,
      here,
    });
    const ledger = new LedgerStore(connection);
    const { feed, changes, failing } = openChanges(parts, ledger);
    const starts = new DueSignal();
    const listeners = { statusChanges, endedRequests, changes, starts };
    const admissions = new AdmissionsStore(connection, parts.relay.firstGapMs, listeners);
    const commands = new CommandPublisher(publisher);
    const log = openTransparencyLog(parts);
    const attestations = openAttestations(parts, log, { admissions, here });
    const signatures = new SignatureCache(parts.signaturesKept);
    const admission = new Admissions({ store: admissions, vault, publisher: commands, clock, times, receivedTooLate });
    const replays = new CallbackReplays(publisher, clock);
    const callbacks = new RequestCallbacks({ requests: admissions, ledger, vault, replays });
    const operator = operatorModule(parts, {
      ...{ requests: admissions, ledger, admissions: admission, callbacks, log, feed },
    });
    const servedVersions = new Map(parts.versions.map((served) => [served.version.apiVersion, served]));
    return {
      module: GatewayModule,
      controllers: [
        ...protocolVersions(parts).flatMap((version) => [
          requestsController(version),
          callbacksController(version),
          attestationsController(version),
          discoveryController(version),
          resultsController(version),
        ]),
        ...[IdentitiesController, TransparencyController],
        ...[RequestEventsConsumer, DeliveryEventsConsumer, EvidenceLeavesConsumer],
        ...operator.controllers,
      ],
      providers: [
        { provide: StatusMetrics, useValue: statusChanges },
        { provide: CHANGE_LISTENER, useValue: changes },
        { provide: ReceivedTooLate, useValue: receivedTooLate },
        { provide: Admissions, useValue: admission },
        {
          provide: AdmissionProjection,
          useValue: new AdmissionProjection(admissions, commands, clock, {
            publishWaitMs: times.publishWaitMs,
            keyKeepMs: parts.keyKeepMs,
            ends: attestations.worker,
            changes,
          }),
        },
        {
          provide: StartWorker,
          useValue: new StartWorker(admissions, commands, clock, {
            ...{ participants, signal: starts },
            publishWaitMs: times.publishWaitMs,
          }),
        },
        {
          provide: RelayWorker,
          useValue: new RelayWorker(
            admissions,
            commands,
            new AnsweredCommands(parts.events, { log: parts.log, keepMs: parts.relay.firstGapMs }),
            { clock, gaps: parts.relay, deadlineMs: RELAY_DEADLINE_MS },
          ),
        },
        { provide: RequestKeysStore, useValue: keys },
        { provide: LedgerStore, useValue: ledger },
        { provide: FAILING_REQUESTS, useValue: failing },
        { provide: RequestCallbacks, useValue: callbacks },
        { provide: RequestKeysWorker, useValue: new RequestKeysWorker(keys, vault, publisher, clock) },
        { provide: EndedRequestsWorker, useValue: endedRequests },
        {
          provide: SharedIdentities,
          useValue: new SharedIdentities({
            participants,
            requests: admissions,
            vault,
            audit: new AuditStore(connection),
            clock,
          }),
        },
        { provide: StatusRecords, useValue: new StatusRecords(linkKeys, servedVersions, signatures, vault) },
        { provide: SignatureCache, useValue: signatures },
        { provide: CertificatesStore, useValue: new CertificatesStore(connection) },
        ...attestations.providers,
        ...logProviders(log),
        { provide: WITNESSES, useValue: log.witnessing },
        { provide: SERVED_VERSIONS, useValue: servedVersions },
        { provide: INTAKE_RULES, useValue: parts.createRules },
        { provide: RESULTS_SOURCE, useValue: parts.results },
        ...operator.providers,
      ],
    };
  }
}

/** Mounts the gateway in a process: its module, and the work that runs beside its routes. */
export async function mountGateway(
  platform: GatewayPlatform,
  values: GatewayModuleValues,
  results: ResultsSource,
): Promise<HostedService & { readonly operator: OwnDocuments }> {
  const parts = gatewayParts(platform, await platform.storage.database('gateway'), values, results);
  return {
    module: GatewayModule.register(parts),
    service: (app, host) => gatewayService(app, parts, host),
    documents: documentsOf(parts.versions, parts.logSigner),
    operator: parts.documents,
  };
}

/** The gateway's boot steps, log consumer, pollers and metrics. */
function gatewayService(app: INestApplication, parts: GatewayParts, host: Host): ServiceParts {
  const { connection, events, polls, workspaces, sandbox, clock, rotation } = parts;
  const { log } = host;
  const limits = new RateLimits(connection, () => clock.now().getTime(), log, parts.limitsTimeoutMs);
  const adapter = app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter;
  const byWorkspace = gatewayLimits(limits, parts.limits);
  guardRoutes(adapter, protocolVersions(parts), { workspaces, limits: byWorkspace });
  const operator = operatorService(app, parts, adapter, { limits, byAddress: byWorkspace });
  const start = app.get(StartWorker);
  const relay = app.get(RelayWorker);
  const endedWorker = app.get(EndedRequestsWorker);
  const keyWorker = app.get(RequestKeysWorker);
  const keys = app.get(RequestKeysStore);
  const certificates = app.get(CertificatesStore);
  // Discovery names a certificate only once it is stored.
  parts.beforeRenewal?.((next) => certificates.save(next));
  const groups = openConsumerGroups(
    {
      events,
      connection,
      clock,
      transports: { gateway: GATEWAY_GROUP, evidence: EVIDENCE_GROUP },
      redriveMs: polls.relayMs,
      metricsMs: polls.metricsMs,
    },
    host,
  );
  const sequencer = app.get(Sequencer);
  const witnesses = app.get<readonly Witnessing[]>(WITNESSES);
  const gauges = [
    ...gatewayMeasures(clock, new AdmissionMeasures(connection), new LogMeasures(connection), rotation),
    ageingGauge(clock, new AgeingMeasures(connection)),
    cosignatureAgeGauge(clock, new WitnessesStore(connection), witnesses),
    ...rotationMeasures(clock, rotation),
  ];
  const measures = storeGauges(gauges, { everyMs: polls.metricsMs, log });
  return {
    prepare: [
      { name: 'gateway indexes', run: () => ensureIndexes(connection, { optional: parts.operator !== undefined }) },
      {
        name: 'gateway tombstones',
        run: () => foldTombstones(events, connection, (tombstones) => keys.applyTombstones(tombstones)),
      },
      { name: 'leaves', run: () => app.get(EvidenceLeaves).catchUp() },
      { name: 'certificates', run: () => Promise.all(parts.versions.map(({ signer }) => certificates.save(signer))) },
      { name: 'sandbox workspace', run: () => sandbox && workspaces.ensureSandbox({ ...SANDBOX, ...sandbox }) },
    ],
    consumers: groups.consumers,
    pollers: [
      startPoller(start, polls.startMs, log),
      relayPoller(relay, polls.relayMs, log),
      endedRequestsPoller(endedWorker, polls.keysMs, log),
      new Poller({ name: 'request keys', intervalMs: polls.keysMs, run: () => keyWorker.runOnce(), log }),
      ...attestationPollers(app, polls, log),
      ...evidencePollers(app, witnesses, polls, log),
      ...operator.pollers,
      ...rotationPollers(rotation, polls.keysMs, log),
      ...measures.pollers,
      ...groups.pollers,
    ],
    leaving: operator.leaving,
    closing: [{ name: 'budgets', run: () => limits.close() }],
    metrics: [
      ...limits.metrics,
      ...measures.metrics,
      ...groups.metrics,
      ...operator.metrics,
      app.get(StatusMetrics).metric,
      app.get(AttestationCounts).metric,
      refusalMetric(sequencer),
      offersMetric(witnesses),
      app.get(ReceivedTooLate).metric,
    ],
  };
}
