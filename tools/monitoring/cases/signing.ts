import { each, seriesOf, type AlertCase } from './alert-case';

// The clock of a test begins in 1970, so a timestamp equals its distance.
const ends = seriesOf('gateway', 'opendsr_signing_certificate_expiry_timestamp_seconds', { version: 'v2' });
const rejected = seriesOf('gateway', 'opendsr_signing_certificate_rejected', { version: 'v2' });
const labels = { version: 'v2' };

export const SIGNING: readonly AlertCase[] = [
  {
    alert: 'OpenDSRCertificateExpiresSoon',
    fires: {
      series: { [ends]: '2500000x80' },
      at: '62m',
      labels,
      says: 'The certificate of version v2 expires within 30 days and no newer one is in the signing secret.',
    },
    silent: each(ends, '62m', ['2600000x80', '1200000x80']),
  },
  {
    alert: 'OpenDSRCertificateExpiresIn14Days',
    fires: {
      series: { [ends]: '1200000x80' },
      at: '62m',
      labels,
      says: 'The certificate of version v2 expires within 14 days and no newer one is in the signing secret.',
    },
    silent: each(ends, '62m', ['1220000x80', '250000x80']),
  },
  {
    alert: 'OpenDSRCertificateExpiresIn3Days',
    fires: {
      series: { [ends]: '250000x80' },
      at: '6m',
      labels,
      says: 'Once the certificate of version v2 has expired, controllers refuse every answer and callback that it signs.',
    },
    silent: each(ends, '6m', ['260000x80']),
  },
  {
    alert: 'OpenDSRCertificateRejected',
    fires: {
      series: { [rejected]: '1x20' },
      at: '6m',
      labels,
      says: 'The files of version v2 were refused; the previous certificate is used until it expires. The log says why.',
    },
    silent: each(rejected, '6m', ['0x20']),
  },
];
