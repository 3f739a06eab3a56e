export { embeddedDatabase, mongodbDatabase, type TestDatabase } from './databases';
export { Faults } from './faults';
export { Random } from '../contract/random';
