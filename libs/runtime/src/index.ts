export { type Clock, ManualClock, systemClock } from './clock';
export { DueWork } from './due-work';
export { ClaimLost, type Extensible, Lease } from './lease';
export { createLog, type Log, type LogFields, type LogLevel, quietLog } from './log/log';
export { asking, outboxAge, overdueWork, parkedRecords, secondsSince, skippedRecords, type Question } from './measures';
export { nestLog } from './log/nest-log';
export { Poller, type PollerOptions } from './poller';
export type { ReadinessCheck } from './process/health';
export { measured, type Measured } from './process/measured';
export type { Metric, Sample } from './process/metrics';
export { type Host, main, type Program, type StartingHost } from './process/main';
export type { WaitFor } from './process/wait-for';
export type { FurtherListener } from './process/listeners';
export { type ConsumerStrategy, type Running, serve, type ServeOptions, type ServiceParts } from './process/serve';
export { StartupError } from './process/startup-error';
export type { Step } from './process/steps';
export {
  checkPortV1,
  checkSandbox,
  checkSending,
  egressPolicyOf,
  egressSettings,
  ingestionUrlSettings,
  publicUrlSettings,
  resultsUrlSettings,
  sandboxSettings,
  sendingSettings,
} from './settings/address-settings';
export { parseDurationMs, showDurationMs } from './settings/duration';
export { helpText } from './settings/help';
export { checkHttp, httpSettings, limitsOf } from './settings/http-settings';
export { bool, choice, durationMs, durationsMs, file, int, list, port, text, url } from './settings/parsers';
export { processSettings } from './settings/process-settings';
export { ConfigurationError, type Environment, readSettings } from './settings/read-settings';
export { ingestRateLimitSettings, rateLimitSettings } from './settings/rate-limit-settings';
export {
  checkMasterKey,
  checkSigning,
  internalTokenSettings,
  masterKeySettings,
  signerSources,
  signingSettings,
} from './settings/security-settings';
export { type Fallback, perProfile, type Profile, type Setting, type Table, type Values } from './settings/setting';
export { checkKafka, kafkaOf, kafkaSettings } from './settings/kafka-settings';
export { checkStores, type Stores, storeSettings, storesOf } from './settings/store-settings';
export { checkSecondPass, timingSettings } from './settings/timing-settings';
export { replicationOf, topicsStep } from './check-topics';
export { openEvents, openStores, type OpenStores } from './open-stores';
export { checkRequired } from './settings/check-required';
export { readServiceToken } from './read-service-token';
export { serveMounted, type Mounted, type Mounting } from './serve-mounted';
export { signingParts } from './signing-parts';
export { type TracedCall, tracedCall, tracedInternalCall } from './tracing/calls';
export { readProcessSettings } from './settings/environment';
export { isAway } from './process/is-away';
export { type Lack, lackIn } from './process/what-is-away';
export type { ServiceDatabase } from './service-database';
export { byRequest, decodable } from './projections/by-request';
export { ProjectionError } from './projections/projection-error';
export type { Difference, Facts, FoldTools, Projection, Stored } from './projections/projection';
export { rebuildProjection, type Rebuilding } from './projections/rebuild';
export { inOrder } from './projections/in-order';
export { stoppable } from './projections/stoppable';
export type { ForgettingTools, Restoring } from './projections/restoring';
export { differingOf, type Comparison } from './projections/tally';
export { verifyProjection, type Verifying } from './projections/verify';
