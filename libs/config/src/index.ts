export {
  checkPortV1,
  checkSandbox,
  egressPolicyOf,
  egressSettings,
  ingestionUrlSettings,
  publicUrlSettings,
  resultsUrlSettings,
  sandboxSettings,
  sendingSettings,
} from './address-settings';
export { checkRequired } from './check-required';
export { parseDurationMs, showDurationMs } from './duration';
export { environment, readProcessSettings } from './environment';
export type { ClientIdentity } from './file-contents';
export { helpText } from './help';
export { checkHttp, httpLimitsOf, httpSettings } from './http-settings';
export {
  checkGenerations,
  checkMasterKey,
  checkRotation,
  generationSettings,
  keyServiceOf,
  keySourceOf,
  makesMasterKey,
  masterKeySettings,
  rotationSettings,
  rotationTimes,
} from './key-settings';
export { checkKafka, kafkaOptionsOf, kafkaSettings, type KafkaValues } from './kafka-settings';
export { mongodbOptionsOf } from './mongodb-settings';
export {
  checkOperator,
  checkUpstreams,
  letsInByLink,
  MAPPED_ROLE,
  OPERATOR_ROLES,
  operatorSettings,
  operatorUpstreamSettings,
  type OperatorUpstreamValues,
  type OperatorValues,
} from './operator-settings';
export { bool, choice, durationMs, int, text, timerMs } from './parsers';
export { processSettings } from './process-settings';
export { ingestRateLimitSettings, rateLimitSettings } from './rate-limit-settings';
export { ConfigurationError, type Environment, readSettings } from './read-settings';
export { secureContext } from './secure-context';
export {
  checkLogKey,
  checkSigning,
  internalTokenSettings,
  logKeySettings,
  signerSources,
  signingSettings,
} from './security-settings';
export { checkService, serviceSettings } from './service-settings';
export { perProfile, type Profile, type Setting, type Table, type Values } from './setting';
export { type ShownSetting, shownSettings } from './shown-settings';
export { checkStores, type Stores, storeSettings, storesOf } from './store-settings';
export { checkRelay, checkSecondPass, timingSettings } from './timing-settings';
export { traceSettings } from './trace-settings';
export { checkWitnesses, type Witness, witnessesOf, witnessSettings } from './witness-settings';
