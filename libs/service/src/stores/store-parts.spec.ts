import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpSettings, readSettings, storeSettings } from '@opendsr-service/config';
import { issueCertificate, makeSandboxAuthority } from '@opendsr-service/signing';
import { createLogger } from '../logger/logger';
import { storeParts } from './store-parts';

const log = createLogger('test', 'error', { write: () => undefined });
const now = new Date('2026-01-01T00:00:00Z');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-parts-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const partsOf = (env: Record<string, string>) =>
  storeParts(readSettings({ ...storeSettings, ...httpSettings }, { METRICS_INTERVAL_MS: '50ms', ...env }), log);
const endOf = (pem: string) => Date.parse(new X509Certificate(pem).validTo) / 1_000;

/** A client certificate and its authority, as files. */
async function certificates(name: string, days: { readonly leaf: number; readonly authority: number }) {
  const authority = await makeSandboxAuthority({ commonName: 'ca', days: days.authority, now });
  const of = { commonName: 'client', dnsNames: [], usage: 'signing', days: days.leaf, now } as const;
  const { keyPem, certPem } = await issueCertificate({ authority, ...of });
  const files = { key: keyPem, chain: `${certPem}\n${authority.certPem}`, both: keyPem + certPem };
  const paths = Object.entries(files).map(([kind, text]) => {
    const path = join(folder, `${name}-${kind}`);
    writeFileSync(path, text);
    return [kind, path] as const;
  });
  return { ...(Object.fromEntries(paths) as typeof files), leaf: certPem, authority: authority.certPem };
}

it('says when the client certificates in use end, or the first of their chain', async () => {
  const kafka = await certificates('kafka', { leaf: 30, authority: 10 });
  const mongodb = await certificates('mongodb', { leaf: 20, authority: 40 });
  const { metrics: [metric] = [], pollers } = partsOf({
    ...{ KAFKA_BROKERS: 'k:9093', KAFKA_TLS: 'true', MONGODB_URI: 'mongodb://m/' },
    ...{ KAFKA_CLIENT_CERT_FILE: kafka.chain, KAFKA_CLIENT_KEY_FILE: kafka.key },
    MONGODB_CLIENT_CERT_FILE: mongodb.both,
  });
  expect([metric?.name, pollers]).toEqual(['opendsr_client_certificate_expiry_timestamp_seconds', undefined]);
  const samples = () => metric?.read();
  const expected = [
    { labels: { store: 'kafka' }, value: endOf(kafka.authority) },
    { labels: { store: 'mongodb' }, value: endOf(mongodb.leaf) },
  ];
  expect(samples()).toEqual(expected);
  // A renewed file changes nothing: the process uses what it has loaded.
  const renewed = await certificates('kafka', { leaf: 90, authority: 90 });
  expect(renewed.chain).toBe(kafka.chain);
  expect(samples()).toEqual(expected);
});

it('has no series where a store asks for no client certificate', () => {
  const { metrics = [] } = partsOf({ KAFKA_BROKERS: 'k:9092', MONGODB_URI: 'mongodb://m/' });
  expect(metrics.map(({ name, read }) => [name, read()])).toEqual([
    ['opendsr_client_certificate_expiry_timestamp_seconds', []],
  ]);
});

it('measures the free space of the disk that holds the embedded stores', async () => {
  const { metrics: [metric] = [], pollers: [poller] = [] } = partsOf({ DATA_DIR: folder });
  await poller?.runOnce();
  const { blocks, bsize } = statfsSync(folder);
  const [{ value = -1 } = {}] = metric?.read() ?? [];
  expect(metric?.name).toBe('opendsr_data_folder_free_bytes');
  expect(value).toBeGreaterThan(0);
  expect(value).toBeLessThanOrEqual(blocks * bsize);
});
