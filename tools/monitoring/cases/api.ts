import { of, type AlertCase } from './alert-case';

const answers = (status: string, route = '/v2/requests', method = 'POST'): string =>
  of('gateway', 'http_server_request_duration_seconds_count', { http_request_method: method, http_route: route, http_response_status_code: status, workspace_class: 'standard' });

/** So many of a thousand creates fail, each interval. */
const failing = (perThousand: number) => ({ [answers('201')]: `0+${1000 - perThousand}x80`, [answers('503')]: `0+${perThousand}x80` });

export const API: readonly AlertCase[] = [
  {
    alert: 'OpenDSRCreatesFailFast',
    fires: { series: failing(15), at: '70m', labels: {}, says: '1.5% of the creates of the last hour were answered with 5xx: in two days of that the error budget of a month (0.1 %) is spent.' },
    silent: [
      { series: failing(14), at: '70m' },
      // Over for six minutes: the short window has forgotten it.
      { series: { [answers('201')]: '0+900x80', [answers('503')]: '0+100x60 6000x20' }, at: '67m' },
      { series: { [answers('201')]: '0+900x80', [answers('503', '/v2/requests/:id', 'GET')]: '0+100x80' }, at: '70m' },
    ],
  },
  {
    alert: 'OpenDSRCreatesFailSlowly',
    fires: { series: failing(7), at: '6h30m', interval: '15m', labels: {}, says: '0.7% of the creates of the last six hours were answered with 5xx: in five days of that the error budget of a month (0.1 %) is spent.' },
    silent: [{ series: failing(5), at: '6h30m', interval: '15m' }],
  },
  {
    alert: 'OpenDSRCredentialsRefused',
    fires: {
      series: { [answers('401')]: '0+3x100 450+150x4' },
      at: '25h30m', interval: '15m', labels: {},
      says: '150 calls within 15 minutes were answered with 401, more than ten times as many as on average of the day before.',
    },
    silent: [
      // As many as every day.
      { series: { [answers('401')]: '0+150x105' }, at: '25h30m', interval: '15m' },
      // Ten times as many, and few.
      { series: { [answers('401')]: '0x100 90+90x4' }, at: '25h30m', interval: '15m' },
    ],
  },
];
