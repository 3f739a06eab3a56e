import { each, seriesOf, type AlertCase } from './alert-case';

const late = seriesOf('gateway', 'opendsr_requests_past_expected', { type: 'erasure' });
const LEGAL = { type: 'erasure', regulation: 'gdpr', workspace_class: 'gold' };
const standing = (state: string) => seriesOf('gateway', 'opendsr_requests_legal_date', { ...LEGAL, state });
const [onTrack, atRisk, pastLegalDate] = ['on_track', 'at_risk', 'overdue'].map(standing) as [string, string, string];
const tooLate = seriesOf('gateway', 'opendsr_requests_received_too_late_total', {
  type: 'erasure',
  regulation: 'gdpr',
});
const overdue = seriesOf('gateway', 'opendsr_overdue_seconds', { work: 'start' });
const rotation = seriesOf('gateway', 'opendsr_overdue_seconds', { work: 'rotation' });
const failures = seriesOf('gateway', 'opendsr_worker_failures_total', { worker: 'start' });
const refused = seriesOf('gateway', 'opendsr_transparency_refused', { reason: 'forked' });
const silence = seriesOf('gateway', 'opendsr_witness_cosignature_age_seconds', { witness: 'witness_example_w1' });

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
    alert: 'OpenDSRRequestsAtRisk',
    fires: {
      series: { [atRisk]: '2x30', [atRisk.replaceAll('gateway-1', 'gateway-2')]: '2x30' },
      at: '20m',
      labels: LEGAL,
      says:
        '2 requests of type erasure under gdpr, of workspaces of the class gold, have not ended after three quarters ' +
        'of their time.',
    },
    silent: [
      { series: { [atRisk]: '0x30' }, at: '20m' },
      { series: { [atRisk]: '2x30' }, at: '14m' },
      { series: { [onTrack]: '9x30' }, at: '20m' },
    ],
  },
  {
    alert: 'OpenDSRRequestsOverdue',
    fires: {
      series: { [pastLegalDate]: '1x30' },
      at: '5m',
      labels: LEGAL,
      says: '1 requests of type erasure under gdpr, of workspaces of the class gold, are past their legal date.',
    },
    silent: [
      { series: { [pastLegalDate]: '0x30' }, at: '10m' },
      { series: { [pastLegalDate]: '1x30' }, at: '4m' },
      { series: { [atRisk]: '9x30' }, at: '10m' },
    ],
  },
  {
    alert: 'OpenDSRRequestsReceivedTooLate',
    fires: {
      series: { [tooLate]: '0+1x120' },
      at: '90m',
      labels: { type: 'erasure', regulation: 'gdpr' },
      says: '60 requests of type erasure under gdpr were received within an hour whose legal date lies before their start.',
    },
    silent: [
      { series: { [tooLate]: '6x120' }, at: '90m' },
      { series: { [tooLate]: '0+1x10 10x170' }, at: '90m' },
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
    alert: 'OpenDSRWitnessSilent',
    fires: {
      series: { [silence]: '30000x60', [silence.replaceAll('gateway-1', 'gateway-2')]: '30000x60' },
      at: '20m',
      labels: { witness: 'witness_example_w1' },
      says: 'The witness witness_example_w1 has cosigned no checkpoint of the transparency log for 8h 20m 0s.',
    },
    silent: each(silence, '20m', ['21600x60']),
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
