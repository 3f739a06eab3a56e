export { isPublishable, MAX_RECORD_BYTES } from './records';
export type { LogRecord, OutgoingRecord, Positions, Verdict } from './records';
export {
  GroupInUse,
  isLogAway,
  isUnacknowledged,
  LogAway,
  OffsetOutOfRange,
  PublishRefused,
  PublishTimeout,
  UnknownTopic,
} from './errors';
export type {
  Consumer,
  ConsumeOptions,
  ConsumerState,
  EventLog,
  KeyQuestion,
  KeyRead,
  KeyReadBound,
  KeyReadDenied,
  MessagingLogger,
  MeasuredPartition,
  PartitionLag,
  Publisher,
  Replication,
  TopicDefinition,
  Topics,
  TopicsReport,
  TopicState,
} from './port';
export { ParkedStore } from './consumption/parked.store';
export { PARKED_KINDS, ParkedMeasures } from './consumption/parked-measures.store';
export { RedriveStore } from './consumption/redrive.store';
export { RedriveWorker } from './consumption/redrive.worker';
export { ParkedAdmin, type ParkedFilter } from './consumption/parked-admin.store';
export {
  isOfKind,
  KIND_FILTERS,
  RECORD_KINDS,
  type KindFilter,
  type ParkedHead,
  type RecordKind,
} from './consumption/parked-record';
export { RedriveCall, type Redriven } from './consumption/redrive-call.store';
export { byType } from './consumption/by-type';
export { eachInOrder } from './consumption/each-in-order';
export { settleBatch } from './consumption/settle-batch';
export { ErrorSummary } from './error-summary';
export { openLog } from './open-log';
export { patchedKafka } from './kafka/patched-kafka';
export { connectionFault } from './kafka/connection-fault';
export { causeOf, permanentlyRefused } from './kafka/faults';
export type { KafkaOptions, KafkaSasl } from './kafka/client';
export { LogStrategy } from './nest/log-strategy';
export { ConsumeBatch } from './nest/consume-batch';
export { inspectCluster, type GroupFacts, type ClusterFacts } from './kafka/inspect-cluster';
