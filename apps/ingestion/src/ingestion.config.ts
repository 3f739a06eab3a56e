import {
  checkGenerations,
  checkRequired,
  checkSecondPass,
  checkService,
  bool,
  durationMs,
  generationSettings,
  ingestRateLimitSettings,
  int,
  internalTokenSettings,
  serviceSettings,
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
      'header x-mp-key alone. CORS is answered then. Visitors of a page can read its key, so ' +
      'identities that the key alone asserts are unverified (decision 18), and search refuses it (403).',
  }),
  INGEST_SIGNATURE_SKEW_MS: durationMs({
    default: 15 * MINUTE_MS,
    meaning:
      'How far the Date of a signed call (x-mp-signature) may be before or after the clock of the service. ' +
      'A signature is stored for this time, and a repeat is answered with 403.',
  }),
  INGEST_CALL_LIMIT_BYTES: int({
    default: 262_144,
    min: 1_024,
    max: MOST_BYTES,
    meaning: 'Largest body of a call to the identity and events endpoints. A larger one is answered with 413.',
  }),
  INGEST_BATCH_LIMIT_BYTES: int({
    default: 131_072,
    min: 1_024,
    max: MOST_BYTES,
    meaning: 'Largest batch of events. A larger one is answered with 413, in a bulk call with a 400 that names it.',
  }),
  INGEST_BATCH_LIMIT_EVENTS: int({
    default: 10_000,
    min: 1,
    max: 100_000,
    meaning: 'Most events of a batch. More are answered with 400. The limit of its bytes applies too.',
  }),
  INGEST_BULK_LIMIT_BATCHES: int({
    default: 100,
    min: 1,
    max: 1_000,
    meaning: 'Most batches of a bulk call. If there are more, none is taken, and the answer is 400.',
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
      'Largest attributes of a profile, in bytes of JSON. A call is answered before its attributes are merged. ' +
      'Attributes that would exceed the limit are parked (profile-too-large), and the profile stays unchanged.',
  }),
  INGEST_PROFILE_LIMIT_IDENTITIES: int({
    default: 10_000,
    min: 100,
    max: 100_000,
    meaning:
      'Most identities of a profile. Devices beyond it are left out of the profile. A call that adds a login identity, ' +
      'and a modify that adds any, is answered with 400, a bulk call with a 400 that names its batch.',
  }),
  SOURCE_REQUEST_KEEP_MS: durationMs({
    default: 30 * DAY_MS,
    meaning: 'How long a repeated source_request_id of the same key is skipped.',
  }),
} as const;

export const ingestionTable = {
  ...serviceSettings,
  ...generationSettings,
  ...internalTokenSettings,
  ...ingestionSettings,
} as const;

export type IngestionValues = Values<typeof ingestionTable>;

/** Faults of the limits of a body. */
export const checkIntake = (
  values: Pick<Values<typeof intakeSettings>, 'INGEST_BATCH_LIMIT_BYTES' | 'INGEST_CALL_LIMIT_BYTES'>,
): string[] =>
  values.INGEST_BATCH_LIMIT_BYTES > values.INGEST_CALL_LIMIT_BYTES
    ? ['INGEST_BATCH_LIMIT_BYTES: must not be more than INGEST_CALL_LIMIT_BYTES']
    : [];

export const checkIngestion = (values: IngestionValues): string[] => [
  ...checkService(values),
  ...checkGenerations(values),
  ...checkSecondPass(values, KEY_CACHE_MS),
  ...checkRequired(values, ['INTERNAL_TOKEN_FILE']),
  ...checkIntake(values),
];

export const intakeRulesOf = (values: Values<typeof intakeSettings>): IntakeRules => ({
  keyOnly: values.INGEST_KEY_ONLY,
  signatureSkewMs: values.INGEST_SIGNATURE_SKEW_MS,
  callBytes: values.INGEST_CALL_LIMIT_BYTES,
  batchBytes: values.INGEST_BATCH_LIMIT_BYTES,
  eventsPerBatch: values.INGEST_BATCH_LIMIT_EVENTS,
  batchesPerCall: values.INGEST_BULK_LIMIT_BATCHES,
});
