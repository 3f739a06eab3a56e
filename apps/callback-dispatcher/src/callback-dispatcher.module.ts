import { Module } from '@nestjs/common';
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
import {
  dispatchLimits,
  dispatchTimes,
  longestTryMs,
  type CallbackDispatcherValues,
  type DispatchValues,
} from './callback-dispatcher.config';
import type { BuildDependencies } from './dispatch/build-callback';
import { DispatchWorker } from './dispatch/dispatch.worker';
import { HostOutcomes } from './dispatch/host-outcomes';
import { processorsOf } from './dispatch/processor';
import { openSender, type SenderParts } from './dispatch/sender.config';
import { sendingOf } from './dispatch/sending.config';
import { DeliveryCounts } from './destinations/delivery-counts';
import { DestinationProjection } from './destinations/destination-projection';
import { DestinationsCollection } from './destinations/destinations-collection.store';
import { DestinationsStore } from './destinations/destinations.store';
import { DestinationsConsumer } from './destinations/destinations.consumer';
import { DestinationClaims } from './destinations/destination-claims.store';
import { HostAnswers } from './hosts/host-answers';
import { HostBacklog } from './hosts/host-backlog.store';
import { HostRecords } from './hosts/host-records.worker';
import { ReceivingHosts } from './hosts/receiving-hosts.store';
import { DestinationMeasures } from './measures/destinations.measures.store';
import { DestinationOutbox } from './outbox/outbox.store';
import { publishDeliveries } from './destinations/publish-deliveries';
import { RelayWorker } from './outbox/relay.worker';
import { CALLBACK_DISPATCHER_GROUP } from './tokens';
import { destinationsState } from './destinations/shown-destinations.store';

export type { SignedCallback, CallbackSender } from './dispatch/callbacks.client';
export type { TryOutcome } from './dispatch/outcome';

@Module({})
class CallbackDispatcherModule {}

type Values = DispatchValues & Pick<CallbackDispatcherValues, 'METRICS_INTERVAL_MS'>;

export interface CallbackDispatcherPlatform
  extends Pick<BuildDependencies, 'vault' | 'linkKeys'>, Pick<SenderParts, 'sender'> {
  readonly storage: Storage;
  readonly events: EventLog;
  readonly signers: Signers;
  readonly clock: Clock;
  readonly log: Logger;
}

async function openParts(platform: CallbackDispatcherPlatform, values: Values) {
  const connection = await platform.storage.database('callback_dispatcher');
  return {
    ...platform,
    connection,
    destinations: new DestinationsCollection(connection),
    hosts: new ReceivingHosts(connection),
    counts: new DeliveryCounts(),
    processors: processorsOf(values, platform.signers),
    times: dispatchTimes(values),
    sending: await sendingOf(values),
    identitiesPollMs: values.CALLBACK_CLIENT_CERT_POLL_MS,
  };
}

export async function mountCallbackDispatcher(
  platform: CallbackDispatcherPlatform,
  values: Values,
): Promise<HostedService & { readonly operator: OwnDocuments }> {
  const parts = await openParts(platform, values);
  const { connection, destinations, hosts, events, counts, clock, times, log } = parts;
  const store = new DestinationsStore(destinations, publishDeliveries(events.publisher), counts, log);
  return {
    module: {
      module: CallbackDispatcherModule,
      controllers: [DestinationsConsumer],
      providers: [{ provide: DestinationProjection, useValue: new DestinationProjection(store, clock, times) }],
    },
    service: (_app, host) => callbackDispatcherService(parts, values, host),
    operator: {
      parked: new ParkedRecords('callback-dispatcher', connection, () => clock.now().getTime()),
      destinations: new HostAnswers(hosts, new HostBacklog(destinations)),
      requestState: (ws, srid) => destinationsState(connection, ws, srid),
    },
  };
}

function callbackDispatcherService(
  parts: Awaited<ReturnType<typeof openParts>>,
  values: Values,
  host: Host,
): ServiceParts {
  const { log } = host;
  const { storage, connection, destinations, events, counts, clock, times } = parts;
  const { WORKER_POLL_MS: pollMs, METRICS_INTERVAL_MS: metricsMs } = values;
  const store = new DestinationClaims(destinations);
  const sender = openSender(parts, log);
  const { client } = sender;
  const outcomes = new HostOutcomes();
  const hosts = new HostRecords(outcomes, parts.hosts, clock);
  const worker = new DispatchWorker({
    ...{ store, dependencies: parts, client, clock, times, counts, log },
    limits: dispatchLimits(values),
    hosts: outcomes,
    onRunEnd: () => {
      destinations.due.due();
      destinations.written.due();
    },
  });
  const relay = new RelayWorker(new DestinationOutbox(destinations), events.publisher, clock, longestTryMs(values));
  const measures = storeGauges(new DestinationMeasures(destinations).gauges(clock), { everyMs: metricsMs, log });
  const groups = openConsumerGroups(
    {
      events,
      connection,
      clock,
      transports: { 'callback-dispatcher': CALLBACK_DISPATCHER_GROUP },
      redriveMs: pollMs,
      metricsMs,
    },
    host,
  );
  // No other process uses an embedded database: its claims belong to a dead process.
  const releaseClaims = () => (storage.kind === 'embedded' ? store.releaseClaims(clock.now()) : undefined);
  return {
    prepare: [
      ...sender.prepare,
      { name: 'callback-dispatcher indexes', run: () => ensureIndexes(connection) },
      { name: 'claims', run: releaseClaims },
    ],
    consumers: groups.consumers,
    pollers: [
      ...sender.pollers,
      new Poller({
        name: 'callbacks',
        intervalMs: pollMs,
        wokenBy: destinations.due,
        run: () => worker.runOnce(),
        dueInMs: () => worker.dueInMs(),
        log,
      }),
      new Poller({
        name: 'delivery events',
        intervalMs: pollMs,
        longestIdleMs: UNSIGNALLED_IDLE_MS,
        wokenBy: destinations.written,
        run: () => relay.runPage(),
        log,
      }),
      new Poller({
        name: 'receiving hosts',
        intervalMs: pollMs,
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
