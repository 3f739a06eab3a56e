export { SwitchedPublisher } from './switched-publisher';
export { until } from './until';
