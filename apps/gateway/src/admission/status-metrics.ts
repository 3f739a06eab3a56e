import { REQUEST_STATUSES, REQUEST_TYPES, VERSIONS, type RequestStatus } from '@opendsr-service/contracts';
import type { Logger, Metric } from '@opendsr-service/service';
import type { RequestDocument } from './request.document';

const MESSAGES: Readonly<Record<RequestStatus, string>> = {
  pending: 'A request was admitted',
  in_progress: 'A request was started',
  completed: 'A request was completed',
  cancelled: 'A request was cancelled',
};

type Changed = Pick<RequestDocument, 'ws' | 'srid' | 'type' | 'status' | 'apiVersion' | 'seq'>;

const versionOf = (apiVersion: string): string =>
  VERSIONS.find((version) => version.apiVersion === apiVersion)?.root ?? 'other';
const seriesOf = (type: string, status: string, version: string) => ({ type, status, version });

/** Logs and counts each status that this process wrote. */
export class StatusMetrics {
  private readonly counts = new Map(
    REQUEST_TYPES.flatMap((type) =>
      REQUEST_STATUSES.flatMap((status) => VERSIONS.map(({ root }) => seriesOf(type, status, root))),
    ).map((labels) => [Object.values(labels).join(), { labels, value: 0 }]),
  );

  constructor(private readonly log: Pick<Logger, 'info'>) {}

  record({ ws, srid, type, status, apiVersion, seq }: Changed): void {
    const series = this.counts.get(Object.values(seriesOf(type, status, versionOf(apiVersion))).join());
    if (series) series.value += 1;
    this.log.info({ ws, srid, requestType: type, requestStatus: status, seq }, MESSAGES[status]);
  }

  get metric(): Metric {
    const help = 'Statuses of requests that this process wrote: pending is an admission.';
    return {
      name: 'opendsr_requests_total',
      help,
      labels: ['type', 'status', 'version'],
      read: () => [...this.counts.values()],
    };
  }
}
