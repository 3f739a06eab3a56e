export { SwitchedPublisher } from './switched-publisher';
export { until } from './until';
export { Replica, type ReplicaParts } from './replica';
