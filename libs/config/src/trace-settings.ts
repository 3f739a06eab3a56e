import { choice, file, int, list, text } from './parsers';
import { secretsOf, SettingFault, settingsOf } from './setting';

const MOST_MS = 600_000;

/** It may hold a user and a password. */
const endpoint = secretsOf<string>('http(s) address', (value) => {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
  throw new SettingFault('must be an http or https address');
});

/** `name=value` between commas; the values may be percent-encoded. */
const pairs = secretsOf<Readonly<Record<string, string>>>('name=value, between commas', (value) => {
  try {
    return Object.fromEntries(
      value
        .split(',')
        .filter((item) => item.trim() !== '')
        .map(pairOf),
    );
  } catch {
    throw new SettingFault('must be name=value, between commas, commas in values percent-encoded');
  }
});

function pairOf(item: string): [name: string, value: string] {
  const at = item.indexOf('=');
  const name = item.slice(0, at).trim();
  if (at < 1 || name === '') throw new SettingFault('no name');
  return [name, decodeURIComponent(item.slice(at + 1).trim())];
}

const share = settingsOf<number>('number from 0 to 1', (value) => {
  if (/^([01]|[01]?\.\d{1,15})$/.test(value) && Number(value) <= 1) return Number(value);
  throw new SettingFault('must be a number from 0 to 1');
});

const boolInAnyCase = settingsOf<boolean>('true or false', (value) => {
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new SettingFault('must be true or false');
});

const protocol = ['http/protobuf'] as const;
const compression = ['none', 'gzip'] as const;
const timeout = { min: 1, max: MOST_MS } as const;

/**
 * Traces, by OpenTelemetry's variables (docs/tracing.md). The exporter reads those of
 * OTEL_EXPORTER_OTLP_ itself; they are listed here so that faults end the start and `--help` shows them. Those for
 * traces override the general ones.
 */
export const traceSettings = {
  OTEL_SDK_DISABLED: boolInAnyCase({ default: false, meaning: 'True: no traces; overrides all other settings.' }),
  OTEL_TRACES_EXPORTER: choice(['otlp', 'console', 'none'], {
    meaning:
      'Where traces go: to a collector, to stdout, or nowhere. Without it, to a collector where one is named, else nowhere.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint({
    meaning:
      'The collector, such as http://collector:4318; /v1/traces is added. Never printed, for it may hold a password.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint({ meaning: 'The collector of traces, with the whole path.' }),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice(protocol, {
    default: 'http/protobuf',
    meaning: 'Protocol of the export; the only one supported.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: choice(protocol, {
    default: 'http/protobuf',
    meaning: 'The same of traces alone.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: text({
    isSecret: true,
    meaning: 'Headers for the collector, name=value between commas; may hold a secret, so they are never printed.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: text({ isSecret: true, meaning: 'The same of traces alone.' }),
  OTEL_EXPORTER_OTLP_TIMEOUT: int({
    default: 10_000,
    ...timeout,
    meaning: 'Milliseconds for one export, retries included.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: int({ ...timeout, meaning: 'The same of traces alone.' }),
  OTEL_EXPORTER_OTLP_COMPRESSION: choice(compression, { default: 'none', meaning: 'Compression of the export.' }),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: choice(compression, { meaning: 'The same of traces alone.' }),
  OTEL_EXPORTER_OTLP_CERTIFICATE: file({
    meaning: 'Authorities of the collector, PEM, in place of the public ones.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: file({ meaning: 'The same of traces alone.' }),
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: file({ meaning: 'Client certificate for the collector, PEM.' }),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: file({ meaning: 'The same of traces alone.' }),
  OTEL_EXPORTER_OTLP_CLIENT_KEY: file({ meaning: 'Its private key, PEM.' }),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: file({ meaning: 'The same of traces alone.' }),
  OTEL_SERVICE_NAME: text({
    meaning: 'The name of the service in its traces; opendsr- and the name of the process by default.',
  }),
  OTEL_RESOURCE_ATTRIBUTES: pairs({ meaning: 'Further attributes of this process in every span.' }),
  OTEL_TRACES_SAMPLER: choice(
    [
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ],
    {
      default: 'parentbased_always_on',
      meaning:
        'Which traces are kept; parentbased: as the parent decides, which is never a caller of a public listener.',
    },
  ),
  OTEL_TRACES_SAMPLER_ARG: share({ default: 1, meaning: 'The share of traces that traceidratio keeps.' }),
  OTEL_PROPAGATORS: list(
    {
      default: ['tracecontext', 'baggage'],
      meaning:
        'How a trace reaches the next service: by traceparent of W3C Trace Context, never by baggage (docs/tracing.md).',
    },
    /^(tracecontext|baggage|none)$/,
    'tracecontext, baggage or none',
  ),
  OTEL_BSP_SCHEDULE_DELAY: int({
    default: 5_000,
    min: 1,
    max: MOST_MS,
    meaning: 'Longest wait of ended spans for a batch, in milliseconds.',
  }),
  OTEL_BSP_EXPORT_TIMEOUT: int({
    default: 30_000,
    min: 1,
    max: MOST_MS,
    meaning: 'Milliseconds after which an export is given up.',
  }),
  OTEL_BSP_MAX_QUEUE_SIZE: int({
    default: 2_048,
    min: 1,
    max: 1_000_000,
    meaning: 'Spans that may wait; further ones are dropped.',
  }),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: int({ default: 512, min: 1, max: 100_000, meaning: 'Most spans of one export.' }),
} as const;
