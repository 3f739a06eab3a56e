import { Module, type DynamicModule, type INestApplication } from '@nestjs/common';
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
import type { MasterSeal } from '@opendsr-service/vault';
import { Participants, waiverKey } from '@opendsr-service/workspaces';
import type { Connection } from 'mongoose';
import { AggregatesStore } from './aggregates/aggregates.store';
import { OutboxRelay } from './aggregates/outbox-relay.worker';
import { RequestCommandHandler } from './aggregates/request-command-handler';
import { CommandsConsumer } from './commands/commands.consumer';
import { AggregateMeasures } from './measures/aggregates.measures.store';
import { ReportKeys } from './reports/report-keys';
import { ReportsConsumer } from './reports/reports.consumer';
import type { RequestValues } from './request.config';
import { REQUEST_GROUP } from './tokens';
import { requestStateOf } from './aggregates/request-state.store';

interface RequestParts {
  readonly connection: Connection;
  readonly events: EventLog;
  readonly participants: Participants;
  readonly reportKeys: ReportKeys;
  readonly clock: Clock;
  readonly log: Logger;
  readonly relay: { readonly pollMs: number; readonly afterMs: number };
  readonly metricsMs: number;
}

@Module({})
export class RequestModule {
  static register({ connection, events, participants, reportKeys, clock, log, ...parts }: RequestParts): DynamicModule {
    const store = new AggregatesStore(connection);
    const relay = new OutboxRelay(store, events.publisher, clock, parts.relay.afterMs);
    return {
      module: RequestModule,
      controllers: [CommandsConsumer, ReportsConsumer],
      providers: [
        {
          provide: RequestCommandHandler,
          useValue: new RequestCommandHandler({ store, relay, clock, relayAfterMs: parts.relay.afterMs, log }),
        },
        { provide: OutboxRelay, useValue: relay },
        { provide: AggregatesStore, useValue: store },
        { provide: Participants, useValue: participants },
        { provide: ReportKeys, useValue: reportKeys },
      ],
    };
  }
}

type Values = Pick<RequestValues, 'RELAY_POLL_MS' | 'RELAY_FIRST_GAP_MS' | 'METRICS_INTERVAL_MS'>;

export interface RequestPlatform extends Pick<RequestParts, 'events' | 'clock' | 'log'> {
  readonly storage: Storage;
  readonly seal: MasterSeal;
}

export async function mountRequest(
  platform: RequestPlatform,
  values: Values,
): Promise<HostedService & { readonly operator: OwnDocuments }> {
  const connection = await platform.storage.database('request');
  const participants = new Participants(await platform.storage.database('workspaces'), platform.seal, () =>
    platform.clock.now().getTime(),
  );
  const reportKeys = new ReportKeys(participants, waiverKey(platform.seal));
  const parts: RequestParts = {
    ...platform,
    connection,
    participants,
    reportKeys,
    relay: { pollMs: values.RELAY_POLL_MS, afterMs: values.RELAY_FIRST_GAP_MS },
    metricsMs: values.METRICS_INTERVAL_MS,
  };
  return {
    module: RequestModule.register(parts),
    service: (app, host) => requestService(app, parts, host),
    operator: {
      parked: new ParkedRecords('request', connection, () => platform.clock.now().getTime()),
      requestState: (ws, srid) => requestStateOf(connection, ws, srid),
    },
  };
}

function requestService(
  app: INestApplication,
  { connection, events, participants, relay, clock, metricsMs }: RequestParts,
  host: Host,
): ServiceParts {
  const { log } = host;
  const worker = app.get(OutboxRelay);
  const groups = openConsumerGroups(
    { events, connection, clock, transports: { request: REQUEST_GROUP }, redriveMs: relay.pollMs, metricsMs },
    host,
  );
  const aggregates = new AggregateMeasures(connection);
  const outbox = outboxAgeGauge(clock, 'request-events', (now) => aggregates.oldestEvent(now));
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
        intervalMs: relay.pollMs,
        longestIdleMs: UNSIGNALLED_IDLE_MS,
        run: () => worker.runOnce(),
        log,
      }),
      ...groups.pollers,
      ...measures.pollers,
    ],
    closing: [{ name: 'published outboxes', run: () => app.get(AggregatesStore).emptyPublished() }],
    metrics: [...measures.metrics, ...groups.metrics],
  };
}
