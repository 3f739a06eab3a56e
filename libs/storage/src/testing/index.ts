export { embeddedDatabase, mongodbDatabase, type TestDatabase } from './databases';
export { Faults, WRITES_BETWEEN_DEATHS } from './faults';
export { missUntilWrite } from './miss-until-write';
export { Random } from '../contract/random';
export { freePorts } from './free-ports';
export { ownServersFolder, startOwn, type OwnServer } from './own-server';
export { testCertificates, type TestCertificates } from './certificates';
export { mongodIn } from './secured-mongod';
export { recordSpans, type RecordedSpans } from './recorded-spans';
