export { SwitchedPublisher } from './switched-publisher';
export { committedByWindow, type SlowGroupPace } from './slow-group';
export { startSecuredKafka, type KafkaUser, type SecuredKafka } from './secured-kafka';
export { MemoryParking } from './memory-parking';
export { until } from './until';
export { Replica, type ReplicaParts } from './replica';
