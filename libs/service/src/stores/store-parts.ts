import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { storesOf, type httpSettings, type storeSettings, type Values } from '@opendsr-service/config';
import type { Logger } from '../logger/logger';
import type { ServiceParts } from '../serving/serve';
import type { Metric } from '../metrics/metrics';
import { storeGauge } from '../metrics/store-gauge';

type ClientCertificates = Pick<Values<typeof storeSettings>, 'KAFKA_CLIENT_CERT_FILE' | 'MONGODB_CLIENT_CERT_FILE'>;

/** The first end of all certificates in a text: an intermediate that has ended is refused like its leaf. */
const endOf = (pem: string): number =>
  Math.min(
    ...(pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []).map((one) =>
      Date.parse(new X509Certificate(one).validTo),
    ),
  );

/** When the client certificates end that a process has loaded at its start: a renewed file is not read before the next one. */
export function clientCertificateMetric(values: ClientCertificates): Metric<'store'> {
  const pems = {
    kafka: values.KAFKA_CLIENT_CERT_FILE?.join('\n'),
    mongodb: values.MONGODB_CLIENT_CERT_FILE?.cert,
  };
  const samples = Object.entries(pems).flatMap(([store, pem]) =>
    pem === undefined ? [] : [{ labels: { store }, value: endOf(pem) / 1_000 }],
  );
  return {
    kind: 'gauge',
    name: 'opendsr_client_certificate_expiry_timestamp_seconds',
    help: 'When the client certificate in use for a store expires, or one of its chain, in seconds since 1970.',
    labels: ['store'],
    read: () => samples,
  };
}

/** Free space where the embedded stores are. */
export function dataFolderParts(folder: string, times: { readonly everyMs: number; readonly log: Logger }) {
  const { metric, poller } = storeGauge({
    ...times,
    name: 'opendsr_data_folder_free_bytes',
    help: 'Free space of the disk that holds the embedded stores.',
    labels: [],
    measure: async () => {
      const { bavail, bsize } = await statfs(folder);
      return [{ labels: {}, value: bavail * bsize }];
    },
  });
  return { metrics: [metric], pollers: [poller] } satisfies ServiceParts;
}

/** What a process measures of the stores that its settings name. */
export function storeParts(
  values: Values<typeof storeSettings> & Pick<Values<typeof httpSettings>, 'METRICS_INTERVAL_MS'>,
  log: Logger,
): ServiceParts {
  const stores = storesOf(values);
  if (stores.kind === 'embedded') return dataFolderParts(stores.dataDir, { everyMs: values.METRICS_INTERVAL_MS, log });
  return { metrics: [clientCertificateMetric(values)] };
}
