/** A chapter of the configuration reference. */
export interface Section {
  readonly title: string;
  readonly intro: string;
  /** Which settings stand in it, by name; each in the first chapter that takes it. */
  readonly takes: RegExp;
}

/** The chapters in their order, from what each installation sets to what few change. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Kafka',
    intro: 'Users, rights and certificates: [connecting.md](connecting.md).',
    takes: /^(KAFKA|TOPIC)_/,
  },
  {
    title: 'MongoDB, and the embedded stores',
    intro: 'Users, roles and certificates: [connecting.md](connecting.md).',
    takes: /^(MONGODB_|DATA_DIR$)/,
  },
  {
    title: 'Keys and certificates',
    intro:
      '[Certificates](certificates.md); `dsr secrets make` makes the master key, the token and the key of the log.',
    takes: /^(MASTER_KEY|KEY_SERVICE|KEY_GENERATION|SIGNING|PROCESSOR_DOMAIN|INTERNAL_TOKEN|TRANSPARENCY)/,
  },
  {
    title: 'Addresses',
    intro: 'Where callers reach the service, and where its parts find each other.',
    takes:
      /^(HOST|PORT|PORT_V1|ADMIN_PORT|SERVE_V1|TRUSTED_PROXIES|PUBLIC_URL_V[12]|CERT_URL_V[12]|RESULTS_URL|INGESTION_URL)$/,
  },
  {
    title: 'Times of requests',
    intro: 'The profile `production` has the interface’s times.',
    takes:
      /^(TIMING_PROFILE|(ACCESS|PORTABILITY|ERASURE)_WAIT_MS|ERASURE_SECOND_PASS_MS|COMPLETION_ESTIMATE_MS|RESULTS_VALIDITY_MS|REQUEST_KEY_KEEP_(ERASED_)?MS)$/,
  },
  {
    title: 'Callbacks',
    intro:
      '[How they are sent](callbacks.md), [when](receiving-callbacks.md#when-it-comes), and [where they may go](egress.md).',
    takes: /^CALLBACK_/,
  },
  {
    title: 'Limits of HTTP',
    intro: 'What a caller may send. [limits.md](limits.md) has the answers beyond them.',
    takes: /^(HTTP|CREATE_LIMIT)_/,
  },
  { title: 'Rate limits', intro: '[limits.md](limits.md).', takes: /^(INGEST_)?RATE_LIMIT_/ },
  {
    title: 'The operator’s API',
    intro: 'Off by default: [operators-api.md](operators-api.md).',
    takes: /^OPERATOR_/,
  },
  { title: 'Identity and events', intro: 'What ingestion accepts.', takes: /^(INGEST_|SOURCE_REQUEST_)/ },
  { title: 'The sandbox', intro: 'Refused in the profile `production`.', takes: /^SANDBOX_/ },
  { title: 'Log, metrics and traces', intro: '[observability.md](observability.md).', takes: /^(LOG_|METRICS_|OTEL_)/ },
  {
    title: 'Workers, start and stop',
    intro: 'Change them rarely. [health.md](health.md) says what a process waits for.',
    takes: /^(START|STOP|LOOP|WORKER|RELAY|SWEEP|PUBLISH|CHECKPOINT)_|^SIGNED_ANSWERS_KEPT$/,
  },
];
