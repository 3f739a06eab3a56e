import { each, seriesOf, type AlertCase } from './alert-case';

const givenUp = (reason: string) => seriesOf('callback-dispatcher', 'opendsr_callbacks_given_up_total', { reason });
const tries = (outcome: string) => seriesOf('callback-dispatcher', 'opendsr_callback_attempts_total', { outcome });
const undelivered = seriesOf('callback-dispatcher', 'opendsr_callback_oldest_undelivered_seconds');

const failing = {
  at: '125m',
  labels: {},
  says:
    'For an hour more than half of the callbacks were refused, did not reach a host, or were not sent. If all ' +
    'hosts are affected, check egress, DNS and the certificate; if few, ask their controllers.',
};

export const CALLBACKS: readonly AlertCase[] = [
  {
    alert: 'OpenDSRCallbacksGivenUp',
    fires: {
      series: { [givenUp('exhausted')]: '0x10 3x60' },
      at: '30m',
      labels: { reason: 'exhausted' },
      says: '3 callbacks were given up within an hour (exhausted): their controllers do not know the status of a request.',
    },
    // Nothing in the last hour; a receiver that wants no callbacks any more.
    silent: [...each(givenUp('exhausted'), '80m', ['0x10 3x90']), ...each(givenUp('gone'), '30m', ['0x10 3x60'])],
  },
  {
    alert: 'OpenDSRCallbacksFailing',
    fires: {
      ...failing,
      series: { [tries('rejected')]: '0+1x150', [tries('unreachable')]: '0+1x150', [tries('delivered')]: '0+1x150' },
    },
    // Hosts that could not be reached are left in peace for a while, so most are not sent.
    firesToo: [
      {
        ...failing,
        series: {
          [tries('unreachable')]: '0+0.1x150',
          [tries('postponed')]: '0+2x150',
          [tries('delivered')]: '0+1x150',
        },
      },
    ],
    silent: [
      { series: { [tries('rejected')]: '0+1x150', [tries('delivered')]: '0+1x150' }, at: '125m' },
      { series: { [tries('rejected')]: '0+0.3x150' }, at: '125m' },
      { series: { [tries('postponed')]: '0+1x150', [tries('delivered')]: '0+1x150' }, at: '125m' },
      // A version is no longer served: each URL gets one callback.
      { series: { [tries('postponed')]: '0x10 300x150', [tries('delivered')]: '0+1x150' }, at: '71m' },
    ],
  },
  {
    alert: 'OpenDSRCallbacksUndelivered',
    fires: {
      series: { [undelivered]: '90000+60x30' },
      at: '20m',
      labels: {},
      says: 'The oldest undelivered callback is 1d 1h 20m 0s old. It is given up 7 days after its first failed attempt.',
    },
    silent: each(undelivered, '20m', ['86400x30', '518401x30']),
  },
  {
    alert: 'OpenDSRCallbacksAboutToEnd',
    fires: {
      series: { [undelivered]: '518401x30' },
      at: '20m',
      labels: {},
      says:
        'The oldest undelivered callback is 6d 0h 0m 1s old. It is given up 7 days after its first failed ' +
        'attempt, with all callbacks behind it.',
    },
    silent: each(undelivered, '20m', ['518400x30']),
  },
];
