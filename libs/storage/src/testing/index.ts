export { Faults } from './faults';
export { Random } from '../contract/random';
