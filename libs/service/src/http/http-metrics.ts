import type { OnAnswered } from '@opendsr-service/edge';
import { Histogram, type Registry } from 'prom-client';
import { isAdminOwnRoute } from './admin-routes';

/** As in OpenTelemetry's conventions: unknown methods count as `_OTHER`. */
const METHODS: ReadonlySet<string | undefined> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);
const MOST_CLASSES = 10;
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Bounds the values of a label: the first few are kept, later ones share one value. */
class LimitedLabels {
  private readonly words = new Set<string>();

  constructor(private readonly most: number) {}

  labelFor(word: string): string {
    if (this.words.size < this.most) this.words.add(word);
    return this.words.has(word) ? word : 'other';
  }
}

/** Measures every request except health checks, by method, route, status and class of its workspace. */
export function httpMetrics(registry: Registry): OnAnswered {
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of requests, from the end of their headers to the end of their response.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code', 'workspace_class'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const classes = new LimitedLabels(MOST_CLASSES);
  return ({ method = '', route = '_other', status, durationSeconds, callerClass }) => {
    if (isAdminOwnRoute(route)) return;
    const labels = {
      http_request_method: METHODS.has(method) ? method : '_OTHER',
      http_route: route,
      http_response_status_code: String(status),
      workspace_class: callerClass === undefined ? 'none' : classes.labelFor(callerClass),
    };
    durations.observe(labels, durationSeconds);
  };
}
