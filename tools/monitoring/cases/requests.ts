import { each, seriesOf, type AlertCase } from './alert-case';

const late = seriesOf('gateway', 'opendsr_requests_past_expected', { type: 'erasure' });
const overdue = seriesOf('gateway', 'opendsr_overdue_seconds', { work: 'start' });
const rotation = seriesOf('gateway', 'opendsr_overdue_seconds', { work: 'rotation' });
const failures = seriesOf('gateway', 'opendsr_worker_failures_total', { worker: 'start' });

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
    silent: [...each(overdue, '10m', ['900x30']), { series: { [rotation]: '1000x30' }, at: '10m' }],
  },
  {
    alert: 'OpenDSRKeyRotationOverdue',
    fires: {
      series: { [rotation]: '50000x60' },
      at: '20m',
      labels: {},
      says:
        'The rotation of workspace keys has been due for 13h 53m 20s. ' +
        'Until it is done, destroyed keys still open from old copies of the database keys.',
    },
    silent: [...each(rotation, '20m', ['43200x60']), { series: { [overdue]: '50000x60' }, at: '20m' }],
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
