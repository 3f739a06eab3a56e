import { each, seriesOf, type AlertCase } from './alert-case';

const late = seriesOf('gateway', 'opendsr_requests_past_expected', { type: 'erasure' });
const overdue = seriesOf('gateway', 'opendsr_overdue_seconds', { work: 'start' });
const failures = seriesOf('gateway', 'opendsr_worker_failures_total', { worker: 'start' });
const refused = seriesOf('gateway', 'opendsr_transparency_refused', { reason: 'forked' });

export const REQUESTS: readonly AlertCase[] = [
  {
    alert: 'OpenDSRRequestsPastExpected',
    // Each replica says the same, and it is not added up.
    fires: {
      series: { [late]: '3x30', [late.replaceAll('gateway-1', 'gateway-2')]: '3x30' },
      at: '20m',
      labels: { type: 'erasure' },
      says: '3 requests of type erasure are past their expected completion time.',
    },
    silent: [
      { series: { [late]: '0x30' }, at: '20m' },
      { series: { [late]: '3x30' }, at: '14m' },
    ],
  },
  {
    alert: 'OpenDSRWorkOverdue',
    fires: {
      series: { [overdue]: '1000x30' },
      at: '10m',
      labels: { work: 'start' },
      says: 'The oldest due work of the kind start has waited for 16m 40s; workers poll every few seconds.',
    },
    silent: each(overdue, '10m', ['900x30']),
  },
  {
    alert: 'OpenDSRTransparencyRefused',
    fires: {
      series: { [refused]: '1x30' },
      at: '2m',
      labels: { reason: 'forked' },
      says: 'A gateway refuses to sign the transparency log (forked): its leaves do not continue the newest checkpoint.',
    },
    silent: [{ series: { [refused]: '0x30' }, at: '10m' }],
  },
  {
    alert: 'OpenDSRWorkerFailing',
    fires: {
      series: { [failures]: '0+1x40' },
      at: '35m',
      labels: { job: 'gateway', worker: 'start' },
      says: 'The worker start of gateway failed 15 times within 15 minutes. Its lines in the log say why.',
    },
    silent: [
      { series: { [failures]: '0+1x5 5x40' }, at: '21m' },
      { series: { [failures]: '0+1x40' }, at: '19m' },
    ],
  },
];
