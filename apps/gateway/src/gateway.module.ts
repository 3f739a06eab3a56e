import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { EdgeAdapter, EgressSources } from '@opendsr-service/edge';
import {
  LogStrategy,
  ParkedMeasures,
  ParkedStore,
  RedriveStore,
  RedriveWorker,
  type EventLog,
} from '@opendsr-service/messaging';
import {
  storeGauges,
  Poller,
  skippedRecordsMetric,
  type Clock,
  type Host,
  type Logger,
  type HostedService,
  type ServiceParts,
} from '@opendsr-service/service';
import type { Signers, Signing } from '@opendsr-service/signing';
import { ensureIndexes, isStorageUnavailable, type Storage } from '@opendsr-service/storage';
import { foldTombstones, type LinkKeys, type Vault } from '@opendsr-service/vault';
import { RateLimits, type Participants, type Workspaces } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import type { ServedVersion } from './versions/served-version';
import { SignatureCache } from './http/answers/signature-cache';
import { servedVersionsOf, type VersionAddresses } from './versions/served-versions';
import { StatusRecords } from './http/answers/status-records';
import { RequestCallbacks } from './callbacks/request-callbacks';
import { callbacksController } from './http/callbacks/callbacks.controller';
import { LedgerStore } from './callbacks/ledger.store';
import { DeliveryEventsConsumer } from './callbacks/delivery-events.consumer';
import { CallbackReplays } from './callbacks/replays.client';
import { CertificatesStore } from './http/discovery/certificates.store';
import { discoveryController } from './http/discovery/discovery.controller';
import { admissionTimes, createLimitsOf, type AdmissionValues, type GatewayValues } from './gateway.config';
import { urlRulesOf, type CreateRules, type UrlRuleValues } from './intake/url-rules.config';
import { EndedPersonsStore } from './keys/ended-persons.store';
import { EndedRequestsWorker } from './keys/ended-requests.worker';
import { RequestKeysWorker } from './keys/request-keys.worker';
import { RequestKeysStore } from './keys/request-keys.store';
import { gatewayMeasures } from './measures/gateway-measures';
import { AdmissionMeasures } from './measures/admission-measures.store';
import { StatusChanges } from './admission/status-changes';
import { documentsOf } from './openapi/documents';
import { AuditStore } from './participants/audit.store';
import { IdentitiesController } from './participants/identities.controller';
import { SharedIdentities } from './participants/shared-identities';
import { AnsweredCommands } from './workers/answered-commands.client';
import type { RelayGaps } from './workers/resend-gap';
import { RelayWorker } from './workers/relay.worker';
import { gatewayLimits, type LimitValues } from './http/limits/gateway-limits';
import { guardRoutes } from './http/limits/guard-routes';
import { Admissions, type AdmissionTimes } from './admission/admissions';
import { Outbox } from './admission/outbox.client';
import { requestsController } from './http/requests/requests.controller';
import { AdmissionsStore } from './admission/admissions.store';
import { resultsController } from './http/results/results.controller';
import type { ResultsSource } from './http/results/results-source';
import { StartWorker } from './workers/start.worker';
import { GATEWAY_GROUP, INTAKE_RULES, SERVED_VERSIONS, RESULTS_SOURCE } from './http/tokens';
import { RequestEventsConsumer } from './view/request-events.consumer';
import { RequestView } from './view/request-view';

export { furtherListeners } from './versions/further-listeners';
export { ResultsClient } from './http/results/results.client';
export type { ResultsAnswer, ResultsSource } from './http/results/results-source';

/** What the gateway needs from the process that it runs in. */
export interface GatewayParts {
  /** Its own database. */
  readonly connection: Connection;
  readonly events: EventLog;
  readonly vault: Vault;
  readonly linkKeys: LinkKeys;
  readonly workspaces: Workspaces;
  readonly participants: Pick<Participants, 'authenticate' | 'of'>;
  /** One for each version that is served. */
  readonly processors: readonly ServedVersion[];
  /** Asks to be told of new certificates; absent where they never change. */
  readonly beforeRenewal?: Signing['beforeRenewal'];
  /** How many signatures of answers to reads are kept. */
  readonly signaturesKept: number;
  readonly results: ResultsSource;
  readonly createRules: CreateRules;
  readonly clock: Clock;
  readonly log: Logger;
  readonly times: AdmissionTimes;
  /** How long the key of a request is kept once nothing needs it. */
  readonly keyKeepMs: number;
  /** How long it is kept at most once somebody in it was erased. */
  readonly keyKeepErasedMs: number;
  readonly polls: {
    readonly startMs: number;
    readonly relayMs: number;
    readonly keysMs: number;
    readonly metricsMs: number;
  };
  readonly relay: RelayGaps;
  readonly limits: LimitValues;
  /** How long a call waits for the database of the limits before this process decides alone, where that is not the usual time. */
  readonly limitsTimeoutMs?: number;
  /** Credentials of the sandbox workspace, which is made at boot where they are given. */
  readonly sandbox: { readonly key: string; readonly secret: string } | undefined;
}

const SANDBOX = { ws: 'sandbox', controllerId: 'sandbox' };
const RELAY_DEADLINE_MS = 15_000;

const versionsOf = ({ processors }: Pick<GatewayParts, 'processors'>): ProtocolVersion[] =>
  processors.map(({ version }) => version);

@Module({})
export class GatewayModule {
  static register(parts: GatewayParts): DynamicModule {
    const { connection, clock, linkKeys, participants, times, vault } = parts;
    const { publisher } = parts.events;
    const transitions = new StatusChanges(parts.log);
    const store = new AdmissionsStore(connection, parts.relay.firstGapMs, transitions);
    const keys = new RequestKeysStore(connection, parts.keyKeepMs);
    const outbox = new Outbox(publisher);
    const ledger = new LedgerStore(connection);
    const signatures = new SignatureCache(parts.signaturesKept);
    const processors = new Map(parts.processors.map((processor) => [processor.version.apiVersion, processor]));
    return {
      module: GatewayModule,
      controllers: [
        ...versionsOf(parts).flatMap((version) => [
          requestsController(version),
          callbacksController(version),
          discoveryController(version),
          resultsController(version),
        ]),
        ...[IdentitiesController, RequestEventsConsumer, DeliveryEventsConsumer],
      ],
      providers: [
        { provide: StatusChanges, useValue: transitions },
        { provide: Admissions, useValue: new Admissions({ store, vault, outbox, clock, times }) },
        {
          provide: RequestView,
          useValue: new RequestView(store, outbox, clock, {
            publishWaitMs: times.publishWaitMs,
            keyKeepMs: parts.keyKeepMs,
          }),
        },
        {
          provide: StartWorker,
          useValue: new StartWorker(store, outbox, clock, { participants, publishWaitMs: times.publishWaitMs }),
        },
        {
          provide: RelayWorker,
          useValue: new RelayWorker(
            store,
            outbox,
            new AnsweredCommands(parts.events, { log: parts.log, keepMs: parts.relay.firstGapMs }),
            { clock, gaps: parts.relay, deadlineMs: RELAY_DEADLINE_MS },
          ),
        },
        { provide: RequestKeysStore, useValue: keys },
        { provide: LedgerStore, useValue: ledger },
        {
          provide: RequestCallbacks,
          useValue: new RequestCallbacks({
            requests: store,
            ledger,
            vault,
            replays: new CallbackReplays(publisher, clock),
          }),
        },
        { provide: RequestKeysWorker, useValue: new RequestKeysWorker(keys, vault, publisher, clock) },
        {
          provide: EndedRequestsWorker,
          useValue: new EndedRequestsWorker({
            keys,
            persons: new EndedPersonsStore(connection),
            vault,
            clock,
            keepErasedMs: parts.keyKeepErasedMs,
          }),
        },
        {
          provide: SharedIdentities,
          useValue: new SharedIdentities({
            participants,
            requests: store,
            vault,
            audit: new AuditStore(connection),
            clock,
          }),
        },
        { provide: StatusRecords, useValue: new StatusRecords(linkKeys, processors, signatures, vault) },
        { provide: SignatureCache, useValue: signatures },
        { provide: CertificatesStore, useValue: new CertificatesStore(connection) },
        { provide: SERVED_VERSIONS, useValue: processors },
        { provide: INTAKE_RULES, useValue: parts.createRules },
        { provide: RESULTS_SOURCE, useValue: parts.results },
      ],
    };
  }
}

type Values = AdmissionValues &
  VersionAddresses &
  LimitValues &
  UrlRuleValues &
  Pick<
    GatewayValues,
    | 'CREATE_LIMIT_IDENTITIES'
    | 'CREATE_LIMIT_CALLBACK_URLS'
    | 'WORKER_POLL_MS'
    | 'RELAY_POLL_MS'
    | 'RELAY_FIRST_GAP_MS'
    | 'RELAY_LONGEST_GAP_MS'
    | 'SWEEP_POLL_MS'
    | 'METRICS_INTERVAL_MS'
    | 'REQUEST_KEY_KEEP_MS'
    | 'REQUEST_KEY_KEEP_ERASED_MS'
    | 'SIGNED_ANSWERS_KEPT'
    | 'SANDBOX_KEY'
    | 'SANDBOX_SECRET'
  >;

/** What the process has opened, for all of its services. */
export interface GatewayPlatform extends Pick<
  GatewayParts,
  | 'events'
  | 'vault'
  | 'linkKeys'
  | 'workspaces'
  | 'participants'
  | 'clock'
  | 'log'
  | 'beforeRenewal'
  | 'limitsTimeoutMs'
> {
  readonly storage: Storage;
  /** What has no signer is not served. */
  readonly signers: Signers;
  /** Where the addresses of callbacks' names come from, where that is not DNS. */
  readonly addresses?: Pick<EgressSources, 'ofStranger'>;
}

/** Mounts the gateway in a process: its module, and what runs beside its routes once the app is built. */
export async function mountGateway(
  platform: GatewayPlatform,
  values: Values,
  results: ResultsSource,
): Promise<HostedService> {
  const parts: GatewayParts = {
    ...platform,
    connection: await platform.storage.database('gateway'),
    processors: servedVersionsOf(values, platform.signers),
    signaturesKept: values.SIGNED_ANSWERS_KEPT,
    results,
    createRules: { ...urlRulesOf(values, platform.addresses), limits: createLimitsOf(values) },
    times: admissionTimes(values),
    keyKeepMs: values.REQUEST_KEY_KEEP_MS,
    keyKeepErasedMs: values.REQUEST_KEY_KEEP_ERASED_MS,
    polls: {
      startMs: values.WORKER_POLL_MS,
      relayMs: values.RELAY_POLL_MS,
      keysMs: values.SWEEP_POLL_MS,
      metricsMs: values.METRICS_INTERVAL_MS,
    },
    relay: { firstGapMs: values.RELAY_FIRST_GAP_MS, longestGapMs: values.RELAY_LONGEST_GAP_MS },
    limits: values,
    sandbox:
      values.SANDBOX_KEY && values.SANDBOX_SECRET
        ? { key: values.SANDBOX_KEY, secret: values.SANDBOX_SECRET }
        : undefined,
  };
  return {
    module: GatewayModule.register(parts),
    service: (app, host) => gatewayService(app, parts, host),
    documents: documentsOf(parts.processors),
  };
}

/** What runs beside the gateway's routes: its view of the log, the starts that are due, the relay. */
function gatewayService(app: INestApplication, parts: GatewayParts, { log, fatal }: Host): ServiceParts {
  const { connection, events, polls, workspaces, sandbox, clock } = parts;
  const limits = new RateLimits(connection, () => clock.now().getTime(), log, parts.limitsTimeoutMs);
  const adapter = app.get(HttpAdapterHost).httpAdapter as unknown as EdgeAdapter;
  guardRoutes(adapter, versionsOf(parts), { workspaces, limits: gatewayLimits(limits, parts.limits) });
  const start = app.get(StartWorker);
  const relay = app.get(RelayWorker);
  const endedWorker = app.get(EndedRequestsWorker);
  const keyWorker = app.get(RequestKeysWorker);
  const keys = app.get(RequestKeysStore);
  const certificates = app.get(CertificatesStore);
  // Discovery names nothing that is not kept: neither a new certificate, nor at the start one that came while no gateway ran.
  parts.beforeRenewal?.((next) => certificates.save(next));
  const parking = new ParkedStore(connection);
  const consumer = new LogStrategy({
    log: events,
    transport: GATEWAY_GROUP,
    group: 'gateway',
    parking,
    isInfrastructureError: isStorageUnavailable,
    onFatal: fatal,
    logger: log,
  });
  const redrive = new RedriveWorker(consumer.handling, new RedriveStore(connection));
  const measures = storeGauges(
    gatewayMeasures(clock, new AdmissionMeasures(connection), new ParkedMeasures(connection)),
    {
      everyMs: polls.metricsMs,
      log,
    },
  );
  return {
    prepare: [
      { name: 'gateway indexes', run: () => ensureIndexes(connection) },
      {
        name: 'gateway tombstones',
        run: () => foldTombstones(events, connection, (tombstones) => keys.applyTombstones(tombstones)),
      },
      { name: 'certificates', run: () => Promise.all(parts.processors.map(({ signer }) => certificates.save(signer))) },
      { name: 'sandbox workspace', run: () => sandbox && workspaces.ensureSandbox({ ...SANDBOX, ...sandbox }) },
    ],
    consumers: [consumer],
    pollers: [
      new Poller({ name: 'start', intervalMs: polls.startMs, run: () => start.runOnce(), log }),
      new Poller({ name: 'command relay', intervalMs: polls.relayMs, run: () => relay.runOnce(), log }),
      new Poller({ name: 'ended requests', intervalMs: polls.keysMs, run: () => endedWorker.runOnce(), log }),
      new Poller({ name: 'request keys', intervalMs: polls.keysMs, run: () => keyWorker.runOnce(), log }),
      ...measures.pollers,
      new Poller({ name: 'redrive', intervalMs: polls.relayMs, run: () => redrive.runOnce(), log }),
    ],
    closing: [{ name: 'budgets', run: () => limits.close() }],
    metrics: [...limits.metrics, ...measures.metrics, skippedRecordsMetric([consumer]), app.get(StatusChanges).metric],
  };
}
