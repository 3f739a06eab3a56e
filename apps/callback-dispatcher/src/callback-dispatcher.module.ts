import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
import type { EventLog } from '@opendsr-service/messaging';
import {
  openConsumerGroups,
  storeGauges,
  Poller,
  UNSIGNALLED_IDLE_MS,
  type Clock,
  type Host,
  type Logger,
  type HostedService,
  type ServiceParts,
} from '@opendsr-service/service';
import { ParkedRecords, type OwnDocuments } from '@opendsr-service/operator-answers';
import type { Signers } from '@opendsr-service/signing';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import {
  dispatchLimits,
  dispatchTimes,
  longestTryMs,
  type CallbackDispatcherValues,
} from './callback-dispatcher.config';
import type { BuildDependencies } from './dispatch/build-callback';
import { openDispatching } from './dispatch/dispatch.module';
import { HostOutcomes } from './dispatch/host-outcomes';
import type { DispatchTimes } from './dispatch/next-step';
import { processorsOf } from './dispatch/processor';
import type { DispatchLimits } from './dispatch/traffic';
import { openSender, type SenderParts } from './dispatch/sender.config';
import { sendingOf, type SendingValues } from './dispatch/sending.config';
import { CommandsConsumer } from './destinations/commands.consumer';
import { DeliveryCounts } from './destinations/delivery-counts';
import { DestinationProjection } from './destinations/destination-projection';
import { DestinationsCollection } from './destinations/destinations-collection.store';
import { DestinationsStore } from './destinations/destinations.store';
import { RequestEventsConsumer } from './destinations/request-events.consumer';
import { DestinationClaims } from './destinations/destination-claims.store';
import { HostAnswers } from './hosts/host-answers';
import { HostBacklog } from './hosts/host-backlog.store';
import { HostRecords } from './hosts/host-records.worker';
import { ReceivingHosts } from './hosts/receiving-hosts.store';
import { DestinationMeasures } from './measures/destinations.measures.store';
import { dispatcherGauges } from './measures/measures';
import { DestinationOutbox } from './outbox/outbox.store';
import { publishDeliveries } from './destinations/publish-deliveries';
import { RelayWorker } from './outbox/relay.worker';
import { CALLBACK_DISPATCHER_GROUP } from './tokens';
import { requestStateOf } from './destinations/request-state.store';

export type { SignedCallback, CallbackSender } from './dispatch/callbacks.client';
export type { TryOutcome } from './dispatch/outcome';

interface CallbackDispatcherParts extends BuildDependencies, SenderParts {
  readonly connection: Connection;
  readonly destinations: DestinationsCollection;
  readonly hosts: ReceivingHosts;
  /** No other process uses this database: claims that it holds belong to a dead process. */
  readonly isAlone: boolean;
  readonly events: EventLog;
  readonly clock: Clock;
  readonly log: Logger;
  readonly times: DispatchTimes;
  readonly pollMs: number;
  readonly metricsMs: number;
  readonly limits: DispatchLimits;
  readonly longestTryMs: number;
}

@Module({})
export class CallbackDispatcherModule {
  static register({ destinations, events, clock, log, times }: CallbackDispatcherParts): DynamicModule {
    const counts = new DeliveryCounts();
    const store = new DestinationsStore(destinations, publishDeliveries(events.publisher), counts, log);
    return {
      module: CallbackDispatcherModule,
      controllers: [RequestEventsConsumer, CommandsConsumer],
      providers: [
        { provide: DeliveryCounts, useValue: counts },
        {
          provide: DestinationProjection,
          useValue: new DestinationProjection(store, clock, times),
        },
      ],
    };
  }
}

type Values = Parameters<typeof dispatchTimes>[0] &
  Parameters<typeof dispatchLimits>[0] &
  SendingValues &
  Pick<
    CallbackDispatcherValues,
    'WORKER_POLL_MS' | 'METRICS_INTERVAL_MS' | 'CALLBACK_CLIENT_CERT_POLL_MS' | 'PUBLIC_URL_V2' | 'PUBLIC_URL_V1'
  >;

export interface CallbackDispatcherPlatform extends Pick<
  CallbackDispatcherParts,
  'events' | 'vault' | 'linkKeys' | 'clock' | 'log' | 'sender'
> {
  readonly storage: Storage;
  readonly signers: Signers;
}

export async function mountCallbackDispatcher(
  platform: CallbackDispatcherPlatform,
  values: Values,
): Promise<HostedService & { readonly operator: OwnDocuments }> {
  const connection = await platform.storage.database('callback_dispatcher');
  const parts: CallbackDispatcherParts = {
    ...platform,
    connection,
    destinations: new DestinationsCollection(connection),
    hosts: new ReceivingHosts(connection),
    isAlone: platform.storage.kind === 'embedded',
    processors: processorsOf(values, platform.signers),
    times: dispatchTimes(values),
    pollMs: values.WORKER_POLL_MS,
    metricsMs: values.METRICS_INTERVAL_MS,
    limits: dispatchLimits(values),
    longestTryMs: longestTryMs(values),
    sending: await sendingOf(values),
    identitiesPollMs: values.CALLBACK_CLIENT_CERT_POLL_MS,
  };
  return {
    module: CallbackDispatcherModule.register(parts),
    service: (app, host) => callbackDispatcherService(app, parts, host),
    operator: {
      parked: new ParkedRecords('callback-dispatcher', connection, () => parts.clock.now().getTime()),
      destinations: new HostAnswers(parts.hosts, new HostBacklog(parts.destinations)),
      requestState: (ws, srid) => requestStateOf(connection, ws, srid),
    },
  };
}

function callbackDispatcherService(app: INestApplication, parts: CallbackDispatcherParts, host: Host): ServiceParts {
  const { log } = host;
  const { connection, destinations, events, clock, times, limits } = parts;
  const store = new DestinationClaims(destinations);
  const sender = openSender(parts, log);
  const { client } = sender;
  const counts = app.get(DeliveryCounts);
  const outcomes = new HostOutcomes();
  const hosts = new HostRecords(outcomes, parts.hosts, clock);
  const worker = openDispatching({
    ...{ store, dependencies: parts, client, clock, times, limits, counts, log },
    hosts: outcomes,
    onRunEnd: () => {
      destinations.due.due();
      destinations.written.due();
    },
  });
  const relay = new RelayWorker(new DestinationOutbox(destinations), events.publisher, clock, parts.longestTryMs);
  const measures = storeGauges(dispatcherGauges(clock, new DestinationMeasures(destinations)), {
    everyMs: parts.metricsMs,
    log,
  });
  const groups = openConsumerGroups(
    {
      events,
      connection,
      clock,
      transports: { 'callback-dispatcher': CALLBACK_DISPATCHER_GROUP },
      redriveMs: parts.pollMs,
      metricsMs: parts.metricsMs,
    },
    host,
  );
  return {
    prepare: [
      ...sender.prepare,
      { name: 'callback-dispatcher indexes', run: () => ensureIndexes(connection) },
      { name: 'claims', run: () => (parts.isAlone ? store.releaseClaims(parts.clock.now()) : undefined) },
    ],
    consumers: groups.consumers,
    pollers: [
      ...sender.pollers,
      new Poller({
        name: 'callbacks',
        intervalMs: parts.pollMs,
        wokenBy: destinations.due,
        run: () => worker.runOnce(),
        dueInMs: () => worker.dueInMs(),
        log,
      }),
      new Poller({
        name: 'delivery events',
        intervalMs: parts.pollMs,
        longestIdleMs: UNSIGNALLED_IDLE_MS,
        wokenBy: destinations.written,
        run: () => relay.runPage(),
        log,
      }),
      new Poller({
        name: 'receiving hosts',
        intervalMs: parts.pollMs,
        wokenBy: destinations.written,
        run: () => hosts.runOnce(),
        log,
      }),
      ...groups.pollers,
      ...measures.pollers,
    ],
    metrics: [...counts.metrics, ...measures.metrics, ...groups.metrics],
    closing: [
      { name: 'callbacks', run: () => worker.stop() },
      { name: 'receiving hosts', run: () => hosts.flush() },
      { name: 'callback connections', run: () => client.close() },
    ],
  };
}
