import { readFileSync } from 'node:fs';
import { chartFolder } from '../helm';
import { APPS, STANDALONE } from './apps';

interface Schema {
  readonly properties: Readonly<
    Record<
      string,
      { readonly properties: { readonly settings: { readonly properties: Readonly<Record<string, object>> } } }
    >
  >;
}

describe('the settings that an app may be given', () => {
  const { properties } = JSON.parse(readFileSync(`${chartFolder()}/values.schema.json`, 'utf8')) as Schema;
  const listed = (key: string) => Object.keys(properties[key]?.properties.settings.properties ?? {});

  /**
   * Said by other values, by the image, or for the sandbox and embedded stores alone; headers for a collector are a
   * secret, which extraEnv takes from one.
   */
  const elsewhere =
    /^(HOST|PORT|PORT_V1|ADMIN_PORT|DATA_DIR|TIMING_PROFILE|LOG_LEVEL|START_TIMEOUT_MS|STOP_DELAY_MS|STOP_TIMEOUT_MS|TRUSTED_PROXIES|SERVE_V1|TOPIC_.+|KAFKA_.+|MONGODB_.+|SANDBOX_.+|PROCESSOR_DOMAIN_.+|PUBLIC_URL_.+|CERT_URL_.+|RESULTS_URL|INGESTION_URL|CALLBACK_ALLOW_.+|CALLBACK_CA_FILE|CALLBACK_CLIENT_CERT_DIR|MASTER_KEY_FILE|KEY_SERVICE.*|KEY_GENERATION_FOLDER|OPERATOR_(PORT|URL|ROLES|UPSTREAMS|OIDC_.+)|INTERNAL_TOKEN_FILE|TRANSPARENCY_(KEY_FILE|WITNESSES)|SIGNING_(KEY|CHAIN)_FILE_.+|OTEL_.+_(HEADERS|CERTIFICATE|KEY))$/;

  it.each([
    ['gateway', 'gateway'],
    ['request', 'request'],
    ['callbackDispatcher', 'callback-dispatcher'],
    ['results', 'results'],
    ['ingestion', 'ingestion'],
    ['standalone', 'standalone'],
  ])('%s: are those that it reads and no other value says', (key, app) => {
    const reads = Object.keys({ ...APPS, standalone: STANDALONE }[app]?.table ?? {}).filter(
      (name) => !elsewhere.test(name),
    );
    expect(listed(key).sort()).toEqual(reads.sort());
  });

  it('each file that an app reads comes from a Secret that a value names', () => {
    const secrets = readFileSync(`${chartFolder()}/templates/_secrets.tpl`, 'utf8');
    const files = Object.values(APPS).flatMap(({ table }) =>
      Object.keys(table).filter((name) => table[name]?.kind === 'file' || /_FILE(_V\d)?$/.test(name)),
    );
    // The exporter of traces is the only one of OpenTelemetry's here: what is said of traces alone says no more.
    const named = files.map((name) => name.replace('OTLP_TRACES_', 'OTLP_'));
    expect(named).toContain('OTEL_EXPORTER_OTLP_CERTIFICATE');
    expect([...new Set(named)].filter((name) => !secrets.includes(`"${name}" "/`))).toEqual([]);
  });

  it('all apps: are those that each of them reads', () => {
    const tables = Object.values(APPS).map(({ table }) => Object.keys(table));
    expect(listed('defaults').filter((name) => !tables.every((table) => table.includes(name)))).toEqual([]);
  });
});
