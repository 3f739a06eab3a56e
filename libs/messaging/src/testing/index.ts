export { settleBatch } from '../consumption/settle-batch';
export { SwitchedPublisher } from './switched-publisher';
export { until } from './until';
