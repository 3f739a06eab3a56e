import {
  checkGenerations,
  checkOperator,
  checkPortV1,
  checkRelay,
  checkRequired,
  checkRotation,
  checkSandbox,
  checkService,
  checkSigning,
  checkUpstreams,
  checkWitnesses,
  durationMs,
  egressSettings,
  int,
  internalTokenSettings,
  generationSettings,
  logKeySettings,
  operatorSettings,
  operatorUpstreamSettings,
  perProfile,
  publicUrlSettings,
  rateLimitSettings,
  rotationSettings,
  resultsUrlSettings,
  sandboxSettings,
  serviceSettings,
  signingSettings,
  timerMs,
  type Values,
  witnessSettings,
} from '@opendsr-service/config';
import { defaultCreateLimits } from './intake/create-limits';
import type { AdmissionTimes } from './admission/admissions';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const THIRTY_DAYS_MS = 30 * DAY_MS;
/** So many sealed identities fit into a Kafka record of 1 MiB. */
const MAX_IDENTITIES = 15_000;
const MAX_CALLBACK_URLS = 100;

/** Settings of the gateway alone; the timing settings stand before them. */
export const gatewaySettings = {
  ...rotationSettings,
  ...publicUrlSettings,
  ...egressSettings,
  ...rateLimitSettings,
  ...witnessSettings,
  ...operatorSettings,
  CALLBACK_RESOLVE_AT_CREATE_MS: timerMs({
    min: 0,
    default: 500,
    meaning:
      'How long a create waits for DNS to find callback URLs with refused addresses. Later answers do ' +
      'not count: each connection is checked again. 0: creates do not resolve names.',
  }),
  CREATE_LIMIT_IDENTITIES: int({
    default: defaultCreateLimits.identities,
    min: 1,
    max: MAX_IDENTITIES,
    meaning:
      'The most identities of a request, over all fields; more are answered with 400. The size of the body is limited as well.',
  }),
  CREATE_LIMIT_CALLBACK_URLS: int({
    default: defaultCreateLimits.callbackUrls,
    min: 1,
    max: MAX_CALLBACK_URLS,
    meaning: 'The most callback URLs of a request; more are answered with 400.',
  }),
  PUBLISH_WAIT_MS: timerMs({
    min: 0,
    default: 150,
    meaning:
      'How long an answer waits for the event log to acknowledge its command; after that, the relay sends it again.',
  }),
  SIGNED_ANSWERS_KEPT: int({
    default: 100_000,
    min: 1,
    max: 1_000_000,
    meaning:
      'How many signatures of status and list answers a gateway caches: about 400 bytes of memory each with an ' +
      'RSA key of 2048 bits, 650 with one of 4096. An unchanged answer is not signed again.',
  }),
  CHECKPOINT_POLL_MS: timerMs({
    default: perProfile(200, 1_000),
    meaning:
      'How often a gateway checks for leaves of the transparency log that no checkpoint covers yet. One checkpoint ' +
      'covers all of them.',
  }),
  REQUEST_KEY_KEEP_MS: durationMs({
    default: perProfile(HOUR_MS, THIRTY_DAYS_MS),
    meaning:
      'How long the key of a request is kept after its end, at least until its callbacks are settled. ' +
      'Its identities are unreadable afterwards.',
  }),
  REQUEST_KEY_KEEP_ERASED_MS: durationMs({
    default: perProfile(HOUR_MS, DAY_MS),
    meaning:
      'The longest time that the keys of a person’s ended requests, including the erasure, are kept ' +
      'after the erasure has completed; at least until their callbacks are settled.',
  }),
} as const;

export const gatewayTable = {
  ...serviceSettings,
  ...generationSettings,
  ...signingSettings,
  ...internalTokenSettings,
  ...resultsUrlSettings,
  ...operatorUpstreamSettings,
  ...logKeySettings,
  ...sandboxSettings,
  ...gatewaySettings,
} as const;

export type GatewayValues = Values<typeof gatewayTable>;

/** What a process reads for its gateway also where the other services are beside it. */
export type SharedValues = Omit<
  GatewayValues,
  keyof typeof internalTokenSettings | keyof typeof resultsUrlSettings | keyof typeof operatorUpstreamSettings
>;

export const checkGateway = (values: GatewayValues): string[] => [
  ...checkService(values),
  ...checkPortV1(values),
  ...checkGenerations(values),
  ...checkRotation(values),
  ...checkRequired(values, ['INTERNAL_TOKEN_FILE', 'RESULTS_URL', 'TRANSPARENCY_KEY_FILE']),
  ...checkSigning(values, false),
  ...checkSandbox(values),
  ...checkRelay(values),
  ...checkWitnesses(values),
  ...checkOperator(values, false),
  ...checkUpstreams(values),
];

export const admissionTimes = (values: SharedValues): AdmissionTimes => ({
  waitingTimesMs: {
    access: values.ACCESS_WAIT_MS,
    portability: values.PORTABILITY_WAIT_MS,
    erasure: values.ERASURE_WAIT_MS,
  },
  completionMs: values.COMPLETION_ESTIMATE_MS,
  publishWaitMs: values.PUBLISH_WAIT_MS,
});
