import { Module } from '@nestjs/common';
import type { EventLog } from '@opendsr-service/messaging';
import {
  openConsumerGroups,
  storeGauges,
  outboxAgeGauge,
  Poller,
  UNSIGNALLED_IDLE_MS,
  type Clock,
  type Host,
  type Logger,
  type HostedService,
  type ServiceParts,
} from '@opendsr-service/service';
import { ParkedRecords, type OwnDocuments } from '@opendsr-service/operator-answers';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { leafKeyOf, type MasterSeal } from '@opendsr-service/vault';
import { Participants, waiverKey } from '@opendsr-service/workspaces';
import { AggregatesStore } from './aggregates/aggregates.store';
import { OutboxRelay } from './aggregates/outbox-relay.worker';
import { RequestCommandHandler } from './aggregates/request-command-handler';
import { CommandsConsumer } from './commands/commands.consumer';
import { ReportsConsumer } from './reports/reports.consumer';
import type { RequestValues } from './request.config';
import { REQUEST_GROUP, WAIVER_KEY } from './tokens';
import { aggregateState } from './aggregates/shown-aggregate.store';

@Module({})
class RequestModule {}

type Values = Pick<RequestValues, 'RELAY_POLL_MS' | 'RELAY_FIRST_GAP_MS' | 'METRICS_INTERVAL_MS'>;

export interface RequestPlatform {
  readonly storage: Storage;
  readonly events: EventLog;
  readonly seal: MasterSeal;
  readonly clock: Clock;
  readonly log: Logger;
}

async function openParts(platform: RequestPlatform, { RELAY_FIRST_GAP_MS: relayAfterMs }: Values) {
  const { storage, events, clock } = platform;
  const connection = await storage.database('request');
  const store = new AggregatesStore(connection);
  return {
    ...platform,
    ...{ connection, store },
    participants: new Participants(await storage.database('workspaces'), platform.seal, () => clock.now().getTime()),
    relay: new OutboxRelay(store, events.publisher, clock, {
      againAfterMs: relayAfterMs,
      leafKey: leafKeyOf(platform.seal),
    }),
  };
}

export async function mountRequest(
  platform: RequestPlatform,
  values: Values,
): Promise<HostedService & { readonly operator: OwnDocuments }> {
  const parts = await openParts(platform, values);
  const { connection, participants, seal, clock } = parts;
  const requests = new RequestCommandHandler({ ...parts, relayAfterMs: values.RELAY_FIRST_GAP_MS });
  return {
    module: {
      module: RequestModule,
      controllers: [CommandsConsumer, ReportsConsumer],
      providers: [
        { provide: RequestCommandHandler, useValue: requests },
        { provide: Participants, useValue: participants },
        { provide: WAIVER_KEY, useValue: waiverKey(seal) },
      ],
    },
    service: (_app, host) => requestService(parts, values, host),
    operator: {
      parked: new ParkedRecords('request', connection, () => clock.now().getTime()),
      requestState: (ws, srid) => aggregateState(connection, ws, srid),
    },
  };
}

function requestService(
  { connection, events, store, participants, relay, clock }: Awaited<ReturnType<typeof openParts>>,
  { RELAY_POLL_MS: pollMs, METRICS_INTERVAL_MS: metricsMs }: Values,
  host: Host,
): ServiceParts {
  const { log } = host;
  const groups = openConsumerGroups(
    { events, connection, clock, transports: { request: REQUEST_GROUP }, redriveMs: pollMs, metricsMs },
    host,
  );
  const outbox = outboxAgeGauge(clock, 'request-events', (now) => store.oldestUnpublished(now));
  const measures = storeGauges([outbox], { everyMs: metricsMs, log });
  return {
    prepare: [
      { name: 'request indexes', run: () => ensureIndexes(connection) },
      { name: 'master key', run: () => participants.ready() },
    ],
    consumers: groups.consumers,
    pollers: [
      new Poller({
        name: 'event relay',
        intervalMs: pollMs,
        longestIdleMs: UNSIGNALLED_IDLE_MS,
        run: () => relay.runOnce(),
        log,
      }),
      ...groups.pollers,
      ...measures.pollers,
    ],
    closing: [{ name: 'published outboxes', run: () => store.emptyPublished() }],
    metrics: [...measures.metrics, ...groups.metrics],
  };
}
