import { REGULATIONS, REQUEST_TYPES } from '@opendsr-service/contracts';
import type { Logger, Metric } from '@opendsr-service/service';
import type { RequestDocument } from './request.document';

type Received = Pick<RequestDocument, 'ws' | 'srid' | 'type' | 'countedBy'>;

/** Logs and counts requests whose legal date lies before their start: their expected completion lies beyond it. */
export class ReceivedTooLate {
  private readonly counts = new Map(
    REGULATIONS.flatMap((regulation) => REQUEST_TYPES.map((type) => ({ regulation, type }))).map((labels) => [
      Object.values(labels).join(),
      { labels, value: 0 },
    ]),
  );

  constructor(private readonly log: Pick<Logger, 'warn'>) {}

  record({ ws, srid, type, countedBy }: Received): void {
    const series = this.counts.get([countedBy, type].join());
    if (series) series.value += 1;
    this.log.warn({ ws, srid, requestType: type }, 'The legal date of a request lies before its start');
  }

  get metric(): Metric {
    return {
      name: 'opendsr_requests_received_too_late_total',
      help: 'Requests that this process admitted although their legal date lies before their start.',
      labels: ['regulation', 'type'],
      read: () => [...this.counts.values()],
    };
  }
}
