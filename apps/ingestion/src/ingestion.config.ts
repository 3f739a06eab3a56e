import {
  bool,
  checkHttp,
  checkRequired,
  checkSecondPass,
  checkStores,
  durationMs,
  httpSettings,
  ingestRateLimitSettings,
  int,
  internalTokenSettings,
  masterKeySettings,
  storeSettings,
  timingSettings,
  type Values,
} from '@opendsr-service/config';
import { KEY_CACHE_MS } from '@opendsr-service/vault';
import type { IntakeRules } from './intake/rules';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** A seal is a third longer; the record must fit into Kafka's default limit of 1 MiB. */
const MOST_BYTES = 524_288;

const intakeSettings = {
  INGEST_KEY_ONLY: bool({
    default: false,
    meaning:
      'Browsers and devices may call identify, login, logout, modify, events and bulkevents with the ' +
      'header x-mp-key alone; then CORS is answered as well. ' +
      'Everybody who visits a page can read its key and do the same, so what the key alone asserts is ' +
      'unverified (decision 18), and search stays closed to it (403).',
  }),
  INGEST_SIGNATURE_SKEW_MS: durationMs({
    default: 15 * MINUTE_MS,
    meaning:
      'How far the Date of a signed call (x-mp-signature) may lie from the clock here, before or after ' +
      'it. For so long a signature is remembered, and a repeat answered with 403.',
  }),
  INGEST_CALL_LIMIT_BYTES: int({
    default: 262_144,
    min: 1_024,
    max: MOST_BYTES,
    meaning: 'Largest body of a call to the identity and events endpoints; more is answered with 413.',
  }),
  INGEST_BATCH_LIMIT_BYTES: int({
    default: 131_072,
    min: 1_024,
    max: MOST_BYTES,
    meaning: 'Largest batch of events; more is answered with 413, and in a bulk call with a 400 that names the batch.',
  }),
  INGEST_BATCH_LIMIT_EVENTS: int({
    default: 10_000,
    min: 1,
    max: 100_000,
    meaning: 'Most events of a batch; more are answered with 400. Its bytes limit it besides.',
  }),
  INGEST_BULK_LIMIT_BATCHES: int({
    default: 100,
    min: 1,
    max: 1_000,
    meaning: 'Most batches of a bulk call; more are answered with 400, and none is taken.',
  }),
} as const;

/** Sealed, it fits three times into a MongoDB document of 16 MiB. */
const MOST_PROFILE_BYTES = 4_194_304;

export const ingestionSettings = {
  ...intakeSettings,
  ...ingestRateLimitSettings,
  INGEST_PROFILE_LIMIT_BYTES: int({
    default: 1_048_576,
    min: 1_024,
    max: MOST_PROFILE_BYTES,
    meaning:
      'Most attributes of a profile, in bytes of JSON. A call is answered before they are merged: what ' +
      'would make them more is parked (profile-too-large), and the profile keeps what it had.',
  }),
  SOURCE_REQUEST_KEEP_MS: durationMs({
    default: 30 * DAY_MS,
    meaning: 'How long a batch of events is left out that names a source_request_id which its key sent before.',
  }),
} as const;

export const ingestionTable = {
  ...timingSettings('production'),
  ...httpSettings,
  ...storeSettings,
  ...masterKeySettings,
  ...internalTokenSettings,
  ...ingestionSettings,
} as const;

export type IngestionValues = Values<typeof ingestionTable>;

export const checkIngestion = (values: IngestionValues): string[] => [
  ...checkHttp(values),
  ...checkStores(values, false),
  ...checkSecondPass(values, KEY_CACHE_MS),
  ...checkRequired(values, ['MASTER_KEY_FILE', 'INTERNAL_TOKEN_FILE']),
];

export const intakeRulesOf = (values: Values<typeof intakeSettings>): IntakeRules => ({
  keyOnly: values.INGEST_KEY_ONLY,
  signatureSkewMs: values.INGEST_SIGNATURE_SKEW_MS,
  callBytes: values.INGEST_CALL_LIMIT_BYTES,
  batchBytes: values.INGEST_BATCH_LIMIT_BYTES,
  eventsPerBatch: values.INGEST_BATCH_LIMIT_EVENTS,
  batchesPerCall: values.INGEST_BULK_LIMIT_BATCHES,
});
