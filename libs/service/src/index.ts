export { type Clock, ManualClock, systemClock } from './clock';
export type { Readiness, ReadinessCheck } from './http/health';
export type { FurtherListener } from './http/listeners';
export { createLogger, type LogFields, type Logger, type LogLevel, silentLogger } from './logger/logger';
export { nestLogger } from './logger/nest-logger';
export type { Metric, Sample } from './metrics/metrics';
export {
  outboxAgeGauge,
  overdueWorkGauge,
  secondsSince,
  type StoreGauge,
  storeGauges,
} from './metrics/service-metrics';
export { storeGauge, type StoreGaugeOptions } from './metrics/store-gauge';
export { type Host, main, type Program, type StartingHost } from './process/main';
export { type MissingDependency, missingDependencyIn } from './process/missing-dependency';
export { openServiceTokens, readServiceTokens } from './process/service-tokens';
export { StartupError } from './process/startup-error';
export type { Step } from './process/steps';
export type { WaitFor } from './process/wait-for';
export {
  type ConsumerStrategy,
  type RunningProcess,
  serve,
  type ServeOptions,
  type ServiceParts,
} from './serving/serve';
export { type HostedService, type MountOptions, serveMounted } from './serving/serve-mounted';
export { type ConsumerGroupsOptions, openConsumerGroups } from './serving/consumer-groups';
export { OwnProcess } from './serving/own-process';
export { signingParts } from './serving/signing-parts';
export { clientCertificateMetric, dataFolderParts, storeParts } from './stores/store-parts';
export { replicationOf, topicsStep } from './stores/check-topics';
export { producerStep } from './stores/producer-step';
export { openEvents, openStores, type OpenStores } from './stores/open-stores';
export type { ServiceDatabase } from './stores/service-database';
export { type TracedCall, tracedCall, tracedInternalCall } from './tracing/calls';
export { ClaimLost, ClaimRenewal, type RenewableClaim } from './workers/claim-renewal';
export { dueInMs } from './workers/due-in-ms';
export { DueSignal } from './workers/due-signal';
export { DueWork } from './workers/due-work';
export { isInfrastructureError, isUnavailable } from './workers/is-unavailable';
export { Poller, type PollerOptions } from './workers/poller';
