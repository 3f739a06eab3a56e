import { seriesOf, type AlertCase } from './alert-case';

const answered = (app: string, [method, route]: readonly [string, string], status: string, workspaceClass: string) =>
  seriesOf(app, 'http_server_request_duration_seconds_count', {
    http_request_method: method,
    http_route: route,
    http_response_status_code: status,
    workspace_class: workspaceClass,
  });
const answers = (status: string, route = '/v2/requests', method = 'POST'): string =>
  answered('gateway', [method, route], status, 'standard');
const unauthorized = answered('gateway', ['POST', '/v2/requests'], '401', 'none');
const ofIngestion = (status: string, workspaceClass = 'none'): string =>
  answered('ingestion', ['POST', '/v2/events'], status, workspaceClass);
const suddenlyRefused = (...series: readonly string[]) => ({
  series: Object.fromEntries(series.map((name) => [name, '0+3x100 450+150x4'])),
  at: '25h30m',
  interval: '15m',
});

/** So many of a thousand creates fail, each interval. */
const failing = (perThousand: number) => ({
  [answers('201')]: `0+${1000 - perThousand}x80`,
  [answers('503')]: `0+${perThousand}x80`,
});

/** So many of a hundred calls that are no creates fail, each interval, beside creates that do not. */
const failingCalls = (perHundred: number, route: string, method: string) => ({
  [answers('201')]: '0+1000x40',
  [answers('200', route, method)]: `0+${100 - perHundred}x40`,
  [answers('503', route, method)]: `0+${perHundred}x40`,
});
const callsFail = (route: string, method: string) => ({
  series: failingCalls(6, route, method),
  at: '30m',
  labels: { job: 'gateway', http_route: route },
  says: `6% of the calls of ${route} to gateway within 15 minutes were answered with 5xx.`,
});

export const API: readonly AlertCase[] = [
  {
    alert: 'OpenDSRCreatesFailFast',
    fires: {
      series: failing(15),
      at: '70m',
      labels: {},
      says:
        '1.5% of the creates of the last hour were answered with 5xx: in two days of that the error ' +
        'budget of a month (0.1 %) is spent.',
    },
    silent: [
      { series: failing(14), at: '70m' },
      // One of the 20 of an hour.
      { series: { [answers('201')]: '0+1x10 10x10 10+1x10', [answers('503')]: '0x11 1x70' }, at: '14m' },
      // Over for six minutes: the short window has forgotten it.
      { series: { [answers('201')]: '0+900x80', [answers('503')]: '0+100x60 6000x20' }, at: '67m' },
      // No creates: OpenDSRCallsFail is for them.
      {
        series: { [answers('201')]: '0+900x80', [answers('503', '/v2/requests/:srid', 'GET')]: '0+100x80' },
        at: '70m',
      },
    ],
  },
  {
    alert: 'OpenDSRCreatesFailSlowly',
    fires: {
      series: failing(7),
      at: '6h30m',
      interval: '15m',
      labels: {},
      says:
        '0.7% of the creates of the last six hours were answered with 5xx: in five days of that the error ' +
        'budget of a month (0.1 %) is spent.',
    },
    silent: [
      { series: failing(5), at: '6h30m', interval: '15m' },
      // One of a hundred, just now.
      { series: { [answers('201')]: '0+4x30', [answers('503')]: '0x24 1x6' }, at: '6h30m', interval: '15m' },
    ],
  },
  {
    alert: 'OpenDSRCallsFail',
    fires: callsFail('/v2/requests/:srid', 'GET'),
    // The route of creates has a list too; and other calls are POSTs.
    firesToo: [callsFail('/v2/requests', 'GET'), callsFail('/v2/requests/:srid/callbacks/:delivery/replay', 'POST')],
    silent: [
      { series: failingCalls(4, '/v2/requests/:srid', 'GET'), at: '30m' },
      { series: failingCalls(6, '/v2/requests/:srid', 'GET'), at: '9m' },
      // All fail, and are few.
      { series: { [answers('503', '/v2/requests/:srid', 'GET')]: '0+1x40' }, at: '30m' },
      // Creates have alerts of their own.
      { series: { [answers('201')]: '0+50x40', [answers('503')]: '0+50x40' }, at: '30m' },
    ],
  },
  {
    alert: 'OpenDSRCredentialsRefused',
    fires: {
      ...suddenlyRefused(unauthorized),
      labels: {},
      says:
        '150 calls within 15 minutes were refused for their credentials (401 or 403), more than ten times as many as on ' +
        'average of the day before.',
    },
    // Ingestion answers missing credentials with 401, wrong ones with 403.
    firesToo: [
      {
        ...suddenlyRefused(ofIngestion('401'), ofIngestion('403')),
        labels: {},
        says:
          '300 calls within 15 minutes were refused for their credentials (401 or 403), more than ten times as many as on ' +
          'average of the day before.',
      },
    ],
    silent: [
      // As many as every day.
      { series: { [unauthorized]: '0+150x105' }, at: '25h30m', interval: '15m' },
      // Ten times as many, and few.
      { series: { [unauthorized]: '0x100 90+90x4' }, at: '25h30m', interval: '15m' },
      // Callers that proved themselves name somebody erased, in a workspace that rejects that.
      suddenlyRefused(ofIngestion('403', 'standard')),
      // An operator whose role does not suffice.
      suddenlyRefused(answered('gateway', ['GET', '/operator/v1/requests'], '403', 'none')),
    ],
  },
];
