import { each, seriesOf, ofCluster, target, type AlertCase } from './alert-case';

const up = seriesOf('ingestion', 'up');
const second = up.replaceAll('ingestion-1', 'ingestion-2');
// The clock of a test begins in 1970, so a timestamp equals its distance.
const client = seriesOf('request', 'opendsr_client_certificate_expiry_timestamp_seconds', { store: 'kafka' });
const free = seriesOf('standalone', 'opendsr_data_folder_free_bytes');
const stood = seriesOf('request', 'nodejs_eventloop_lag_max_seconds');
const refused = seriesOf('gateway', 'opendsr_http_connections_refused_total', { reason: 'address' });
const available = ofCluster('kube_deployment_status_replicas_available', { deployment: 'dsr-opendsr-service-request' });
const wanted = ofCluster('kube_deployment_spec_replicas', { deployment: 'dsr-opendsr-service-request' });
const pod = { pod: 'dsr-opendsr-service-request-1', container: 'request' };
const restarts = ofCluster('kube_pod_container_status_restarts_total', pod);
const scaler = { horizontalpodautoscaler: 'keda-hpa-dsr-opendsr-service-request' };
const [now, most, fewest] = [
  'kube_horizontalpodautoscaler_status_current_replicas',
  'kube_horizontalpodautoscaler_spec_max_replicas',
  'kube_horizontalpodautoscaler_spec_min_replicas',
].map((metric) => ofCluster(metric, scaler)) as [string, string, string];
const job = { job_name: 'dsr-opendsr-service-topics-1' };
const failed = ofCluster('kube_job_failed', { ...job, condition: 'true' });
const namespace = 'privacy';
const FIVE = ['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion'];
const targetsOf = (apps: readonly string[]) => Object.fromEntries(apps.map((app) => [seriesOf(app, 'up'), '0x20']));

export const PROCESSES: readonly AlertCase[] = [
  {
    alert: 'OpenDSRMetricsAway',
    fires: {
      series: { [up]: '0x20' },
      at: '11m',
      labels: target('ingestion'),
      says: 'ingestion at ingestion-1:9090 does not respond to Prometheus: its metrics are missing.',
    },
    silent: [
      ...each(up, '11m', ['1x20']),
      ...each(up, '9m', ['0x20']),
      ...each(up.replace('job="ingestion"', 'job="other"'), '11m', ['0x20']),
    ],
  },
  {
    alert: 'OpenDSRProcessesDown',
    fires: {
      series: { [up]: '0x20', [second]: '0x20' },
      at: '6m',
      labels: { job: 'ingestion' },
      says: 'None of the processes of ingestion has responded to Prometheus for 5 minutes: it does nothing, or nobody sees what it does.',
    },
    silent: [
      { series: { [up]: '0x20', [second]: '1x20' }, at: '6m' },
      ...each(up, '4m', ['0x20']),
      ...each(up.replace('job="ingestion"', 'job="other"'), '6m', ['0x20']),
    ],
  },
  {
    alert: 'OpenDSRTargetsMissing',
    fires: {
      // Of others only.
      series: { [up]: '1x20' },
      at: '6m',
      labels: { namespace },
      says: 'Prometheus has no target of the job gateway, or standalone where one process does all: every alert about it is blind.',
    },
    firesToo: FIVE.slice(1).map((missing) => ({
      series: targetsOf(FIVE.filter((app) => app !== missing)),
      at: '6m',
      labels: { namespace, job: missing },
      says: `Prometheus has no target of the job ${missing}: every alert about it is blind.`,
    })),
    silent: [FIVE, ['standalone']].map((apps) => ({ series: targetsOf(apps), at: '6m' })),
  },
  {
    alert: 'OpenDSRClientCertificateExpires',
    fires: {
      series: { [client]: '1200000x80' },
      at: '62m',
      labels: { job: 'request', store: 'kafka' },
      says: 'The client certificate that request uses for kafka expires within 14 days. A renewed file is read at the next start.',
    },
    silent: each(client, '62m', ['1220000x80', '250000x80']),
  },
  {
    alert: 'OpenDSRClientCertificateExpiresIn3Days',
    fires: {
      series: { [client]: '250000x80' },
      at: '6m',
      labels: { job: 'request', store: 'kafka' },
      says: 'Once the client certificate that request uses for kafka has expired, no new connection is accepted. A renewed file is read at the next start.',
    },
    silent: each(client, '6m', ['260000x80']),
  },
  {
    alert: 'OpenDSRDiskNearlyFull',
    fires: {
      series: { [free]: '1610612736x20' },
      at: '11m',
      labels: { instance: 'standalone-1:9090' },
      says: '1.5GiB are free where standalone-1:9090 keeps its stores. A full disk refuses every write.',
    },
    silent: [...each(free, '11m', ['2147483648x20']), ...each(free, '9m', ['1610612736x20'])],
  },
  {
    alert: 'OpenDSRConnectionsRefused',
    fires: {
      series: { [refused]: '0+2x30' },
      at: '20m',
      labels: { job: 'gateway', reason: 'address' },
      says: '20 connections to gateway were refused within 10 minutes, because too many were open (address).',
    },
    // A few; and for a short time.
    silent: [...each(refused, '20m', ['0+1x30']), ...each(refused, '8m', ['0 0 0 0 0+20x10'])],
  },
  {
    alert: 'OpenDSREventLoopSlow',
    fires: {
      // Longer at times, and never shorter.
      series: { [stood]: '5 0.6x30' },
      at: '16m',
      labels: { job: 'request', instance: 'request-1:9090' },
      says:
        'The event loop of request at request-1:9090 has stalled repeatedly for 10 minutes, ' +
        '600ms or longer each time: every call waits as long.',
    },
    // Small values; occasional values, as at the start of a process; short ones.
    silent: [
      ...each(stood, '16m', ['0.5x30', '5 0.01 0.01 0.01 0.01 '.repeat(6).trim()]),
      ...each(stood, '4m', ['0.6x30']),
    ],
  },
  {
    alert: 'OpenDSRPodsMissing',
    fires: {
      series: { [available]: '1x30', [wanted]: '2x30' },
      at: '16m',
      labels: { namespace, deployment: 'dsr-opendsr-service-request' },
      says: 'dsr-opendsr-service-request has 1 pods that can work, which is fewer than it should have. (Needs kube-state-metrics.)',
    },
    silent: [{ series: { [available]: '2x30', [wanted]: '2x30' }, at: '16m' }],
  },
  {
    alert: 'OpenDSRServiceDown',
    fires: {
      series: { [available]: '0x30' },
      at: '6m',
      labels: { namespace, deployment: 'dsr-opendsr-service-request' },
      says: 'dsr-opendsr-service-request has no pod that can work. (Needs kube-state-metrics.)',
    },
    silent: each(available, '6m', ['1x30']),
  },
  {
    alert: 'OpenDSRPodRestarting',
    fires: {
      series: { [restarts]: '0x10 5x60' },
      at: '30m',
      labels: { namespace, ...pod },
      says:
        'dsr-opendsr-service-request-1 was started 5 times within an hour. Its last lines say what it ' +
        'could not go on without. (Needs kube-state-metrics.)',
    },
    silent: each(restarts, '30m', ['0x10 3x60']),
  },
  {
    alert: 'OpenDSRScaledToTheMost',
    fires: {
      series: { [now]: '12x60', [most]: '12x60', [fewest]: '2x60' },
      at: '31m',
      labels: { namespace, ...scaler },
      says: 'keda-hpa-dsr-opendsr-service-request has had as many pods as it may for half an hour. (Needs kube-state-metrics.)',
    },
    // One that never scales is at its most for ever.
    silent: [
      { series: { [now]: '11x60', [most]: '12x60', [fewest]: '2x60' }, at: '31m' },
      { series: { [now]: '12x60', [most]: '12x60', [fewest]: '12x60' }, at: '31m' },
    ],
  },
  {
    alert: 'OpenDSRTopicsJobFailed',
    fires: {
      series: { [failed]: '1x20' },
      at: '6m',
      labels: { namespace, ...job, condition: 'true' },
      says:
        'dsr-opendsr-service-topics-1 has failed: services of this version wait for topics that are ' +
        'missing, then exit. (Needs kube-state-metrics.)',
    },
    // Pods of it failed, and it goes on trying.
    silent: [{ series: { [ofCluster('kube_job_status_failed', job)]: '3x20', [failed]: '0x20' }, at: '6m' }],
  },
];
