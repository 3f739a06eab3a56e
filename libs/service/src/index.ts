export { type Clock, ManualClock, systemClock } from './clock';
export { createLogger, type LogFields, type Logger, silentLogger } from './logger/logger';
export type { Metric, Sample } from './metrics/metrics';
export {
  outboxAgeGauge,
  overdueWorkGauge,
  secondsSince,
  type StoreGauge,
  storeGauges,
} from './metrics/service-metrics';
export { type Host, main } from './process/main';
export { missingDependencyIn } from './process/missing-dependency';
export { openServiceTokens, readServiceTokens } from './process/service-tokens';
export { StartupError } from './process/startup-error';
export type { WaitFor } from './process/wait-for';
export { type RunningProcess, serve, type ServiceParts } from './serving/serve';
export { type HostedService, type MountOptions, serveMounted } from './serving/serve-mounted';
export { serveOnStores } from './stores/serve-on-stores';
export { openConsumerGroups } from './serving/consumer-groups';
export { OwnProcess } from './serving/own-process';
export { signingParts } from './serving/signing-parts';
export { clientCertificateMetric, dataFolderParts } from './stores/store-parts';
export { replicationOf, topicsStep } from './stores/check-topics';
export { openEvents, openStores, type OpenStores } from './stores/open-stores';
export type { ServiceDatabase } from './stores/service-database';
export { tracedCall, tracedInternalCall } from './tracing/calls';
export { ClaimLost, ClaimRenewal } from './workers/claim-renewal';
export { dueInMs } from './workers/due-in-ms';
export { DueSignal } from './workers/due-signal';
export { DueWork } from './workers/due-work';
export { isInfrastructureError, isUnavailable } from './workers/is-unavailable';
export { Poller, UNSIGNALLED_IDLE_MS } from './workers/poller';
