import { CONSUMER_GROUPS } from '@opendsr-service/contracts';
import {
  type EventLog,
  LogStrategy,
  ParkedMeasures,
  ParkedStore,
  RedriveStore,
  RedriveWorker,
} from '@opendsr-service/messaging';
import type { Connection } from 'mongoose';
import type { Clock } from '../clock';
import { parkedRecordsGauges, skippedRecordsMetric, storeGauges } from '../metrics/service-metrics';
import type { Host } from '../process/main';
import { isInfrastructureError } from '../workers/is-unavailable';
import { Poller } from '../workers/poller';
import type { ServiceParts } from './serve';

type GroupName = keyof typeof CONSUMER_GROUPS;

interface ConsumerGroupsOptions {
  readonly events: EventLog;
  /** The service's database; its collection `parked` holds records that the groups cannot handle. */
  readonly connection: Connection;
  readonly clock: Clock;
  /** Each group with the symbol that its handlers name in `@ConsumeBatch`. */
  readonly transports: Readonly<Partial<Record<GroupName, symbol>>>;
  /** How often the service checks for parked records to redrive. */
  readonly redriveMs: number;
  readonly metricsMs: number;
}

/** The consumer groups of a service, with their parking, redrive and metrics. */
export function openConsumerGroups(
  { events, connection, clock, transports, redriveMs, metricsMs }: ConsumerGroupsOptions,
  { log, fatal }: Pick<Host, 'log' | 'fatal'>,
): Required<Pick<ServiceParts, 'consumers' | 'pollers' | 'metrics'>> {
  const names = Object.keys(transports) as GroupName[];
  const nowMs = () => clock.now().getTime();
  const consumers = names.map(
    (group) =>
      new LogStrategy({
        log: events,
        transport: transports[group] as symbol,
        group,
        parking: new ParkedStore(connection, nowMs),
        isInfrastructureError,
        onFatal: fatal,
        logger: log,
      }),
  );
  const redrives = consumers.map(({ handling }) => {
    const redrive = new RedriveWorker(handling, new RedriveStore(connection, nowMs));
    // Operators mark records for it: no record of the log makes one due.
    return new Poller({
      name: 'redrive',
      intervalMs: redriveMs,
      wokenBy: 'none',
      run: () => redrive.runOnce(),
      log,
    });
  });
  const topics = Object.fromEntries(names.map((group) => [group, CONSUMER_GROUPS[group]]));
  const parked = storeGauges(parkedRecordsGauges(clock, new ParkedMeasures(connection), topics), {
    everyMs: metricsMs,
    log,
  });
  return {
    consumers,
    pollers: [...redrives, ...parked.pollers],
    metrics: [...parked.metrics, skippedRecordsMetric(consumers)],
  };
}
