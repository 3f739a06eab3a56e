import { LogAway } from '@opendsr-service/messaging';
import { ConnectionFault } from '@opendsr-service/storage';
import mongoose from 'mongoose';
import { lackIn, NotThereYet } from './what-is-away';

const named = (name: string, more: object = {}) => Object.assign(new Error('secret'), { name, ...more });

it.each([
  ['brokers that refuse', named('KafkaJSNumberOfRetriesExceeded', { cause: named('KafkaJSConnectionError', { code: 'ECONNREFUSED' }) }), 'Kafka', 'it refuses connections'],
  ['an error of Kafka itself', named('KafkaJSNumberOfRetriesExceeded', { cause: named('KafkaJSProtocolError', { type: 'GROUP_COORDINATOR_NOT_AVAILABLE' }) }), 'Kafka', 'it answers GROUP_COORDINATOR_NOT_AVAILABLE'],
  ['a read that gave up', new LogAway('away'), 'Kafka', 'it does not answer'],
  ['a server selection', named('MongoServerSelectionError'), 'MongoDB', 'it does not answer'],
  ['a server that refuses', named('MongooseServerSelectionError', { cause: { error: named('MongoNetworkError', { cause: { code: 'ECONNREFUSED' } }) } }), 'MongoDB', 'it refuses connections'],
  ['a name that is looked up for mongodb+srv', named('Error', { code: 'ENOTFOUND', syscall: 'querySrv' }), undefined, 'its name is not known'],
  ['a DNS that refuses', named('Error', { code: 'EREFUSED', syscall: 'querySrv' }), undefined, 'its name cannot be looked up'],
  ['a DNS that is away', named('Error', { code: 'ECONNREFUSED', syscall: 'querySrv' }), undefined, 'its name cannot be looked up'],
  ['a DNS that is away, as a driver tells it', named('MongoNetworkError', { cause: { code: 'EAI_FAIL', syscall: 'getaddrinfo' } }), 'MongoDB', 'its name cannot be looked up'],
  ['a certificate', named('KafkaJSNumberOfRetriesExceeded', { cause: new ConnectionFault('Kafka', 'expired') }), 'Kafka', 'its certificate is not valid now (expired)'],
  ['rights that are missing in the midst of work', new Error('secret', { cause: named('KafkaJSProtocolError', { type: 'GROUP_AUTHORIZATION_FAILED' }) }), 'Kafka', 'it does not allow the user what the service needs (authorization)'],
  ['the same of MongoDB', new mongoose.mongo.MongoServerError({ message: 'secret', code: 13 }), 'MongoDB', 'it does not allow the user what the service needs (authorization)'],
  ['topics', new NotThereYet('topics', 'they are missing'), 'topics', 'they are missing'],
])('sees a lack, which may pass, in %s', (_title, error, what, why) => {
  expect(lackIn(error)).toMatchObject({ what, why });
});

it.each([
  ['a fault of our own', new TypeError('planted')],
  ['a data folder that is held', named('DataDirectoryHeld')],
  ['a missing file', named('Error', { code: 'ENOENT' })],
  ['a port that is taken', named('Error', { code: 'EADDRINUSE' })],
  ['a value', 'planted'],
])('sees none in %s', (_title, error) => {
  expect(lackIn(error)).toBeUndefined();
});
