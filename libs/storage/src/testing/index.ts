export { Faults } from './faults';
