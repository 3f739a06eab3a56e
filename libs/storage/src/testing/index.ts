export { bundle } from './bundle';
export {
  dropDatabases,
  embeddedDatabase,
  embeddedStorage,
  mongodbDatabase,
  mongodbOptions,
  mongodbStorage,
  type TestDatabase,
} from './databases';
export { Faults, WRITES_BETWEEN_DEATHS } from './faults';
export { describeInFull, FULL, itInFull, representative } from './full';
export { missUntilWrite } from './miss-until-write';
export { Random } from '../contract/random';
export { freePorts } from './free-ports';
export { ownServersFolder, startOwn, type OwnServer } from './own-server';
export { testCertificates, type TestCertificates } from './certificates';
export { mongodIn, startMongodWithLogin } from './secured-mongod';
export { recordSpans, type RecordedSpans } from './recorded-spans';
