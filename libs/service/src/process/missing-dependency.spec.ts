import { LogAway } from '@opendsr-service/messaging';
import { ConnectionFault } from '@opendsr-service/storage';
import mongoose from 'mongoose';
import { missingDependencyIn, NotYetAvailable } from './missing-dependency';

const named = (name: string, more: object = {}) => Object.assign(new Error('secret'), { name, ...more });

it.each([
  [
    'brokers that refuse',
    named('KafkaJSNumberOfRetriesExceeded', { cause: named('KafkaJSConnectionError', { code: 'ECONNREFUSED' }) }),
    'Kafka',
    'it refuses connections',
  ],
  [
    'an error of Kafka itself',
    named('KafkaJSNumberOfRetriesExceeded', {
      cause: named('KafkaJSProtocolError', { type: 'GROUP_COORDINATOR_NOT_AVAILABLE' }),
    }),
    'Kafka',
    'it answers GROUP_COORDINATOR_NOT_AVAILABLE',
  ],
  [
    'topics that it refuses to make',
    named('KafkaJSAggregateError', {
      errors: [
        named('KafkaJSCreateTopicError', { type: 'POLICY_VIOLATION' }),
        named('KafkaJSCreateTopicError', { type: 'INVALID_CONFIG' }),
      ],
    }),
    'Kafka',
    'it answers POLICY_VIOLATION',
  ],
  [
    'a group that it refuses to delete',
    named('KafkaJSDeleteGroupsError', {
      groups: [{ error: named('KafkaJSProtocolError', { type: 'INVALID_GROUP_ID' }) }],
    }),
    'Kafka',
    'it answers INVALID_GROUP_ID',
  ],
  [
    'topics without the right to create them',
    named('KafkaJSAggregateError', {
      errors: [named('KafkaJSCreateTopicError', { type: 'TOPIC_AUTHORIZATION_FAILED' })],
    }),
    'Kafka',
    'it does not allow the user what the service needs (authorization)',
  ],
  ['a read that gave up', new LogAway('away'), 'Kafka', 'it does not answer'],
  ['a server selection', named('MongoServerSelectionError'), 'MongoDB', 'it does not answer'],
  [
    'a server that refuses',
    named('MongooseServerSelectionError', {
      cause: { error: named('MongoNetworkError', { cause: { code: 'ECONNREFUSED' } }) },
    }),
    'MongoDB',
    'it refuses connections',
  ],
  [
    'a name resolved for mongodb+srv',
    named('Error', { code: 'ENOTFOUND', syscall: 'querySrv' }),
    undefined,
    'its name is not known',
  ],
  [
    'a DNS that refuses',
    named('Error', { code: 'EREFUSED', syscall: 'querySrv' }),
    undefined,
    'its name cannot be looked up',
  ],
  [
    'a DNS that is away',
    named('Error', { code: 'ECONNREFUSED', syscall: 'querySrv' }),
    undefined,
    'its name cannot be looked up',
  ],
  [
    'a DNS that is away, as a driver reports it',
    named('MongoNetworkError', { cause: { code: 'EAI_FAIL', syscall: 'getaddrinfo' } }),
    'MongoDB',
    'its name cannot be looked up',
  ],
  [
    'a certificate',
    named('KafkaJSNumberOfRetriesExceeded', { cause: new ConnectionFault('Kafka', 'expired') }),
    'Kafka',
    'its certificate is not valid now (expired)',
  ],
  [
    'rights that are missing in the midst of work',
    new Error('secret', { cause: named('KafkaJSProtocolError', { type: 'GROUP_AUTHORIZATION_FAILED' }) }),
    'Kafka',
    'it does not allow the user what the service needs (authorization)',
  ],
  [
    'the same of MongoDB',
    new mongoose.mongo.MongoServerError({ message: 'secret', code: 13 }),
    'MongoDB',
    'it does not allow the user what the service needs (authorization)',
  ],
  [
    'the key service',
    named('KeyServiceAway', { cause: Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }) }),
    'the key service',
    'it refuses connections',
  ],
  ['topics', new NotYetAvailable('topics', 'they are missing'), 'topics', 'they are missing'],
])('sees a lack, which may pass, in %s', (_title, error, what, why) => {
  expect(missingDependencyIn(error)).toMatchObject({ what, why });
});

const answered = (type: string, retriable: boolean) =>
  named('KafkaJSAggregateError', { errors: [named('KafkaJSCreateTopicError', { type, retriable })] });

it.each([
  ['too many copies', answered('INVALID_REPLICATION_FACTOR', false), true],
  [
    'a request of another version',
    new Error('secret', { cause: named('KafkaJSProtocolError', { type: 'UNSUPPORTED_VERSION', retriable: false }) }),
    true,
  ],
  ['a controller that moves', answered('NOT_CONTROLLER', true), false],
  ['a broker that is not there, which kafkajs does not call retriable', answered('BROKER_NOT_AVAILABLE', false), false],
  [
    'a rebalancing group, which kafkajs does not call retriable',
    named('KafkaJSProtocolError', { type: 'REBALANCE_IN_PROGRESS', retriable: false }),
    false,
  ],
  ['a right that is missing, which may be given meanwhile', answered('CLUSTER_AUTHORIZATION_FAILED', false), false],
  ['no answer', named('KafkaJSConnectionError'), false],
])('distinguishes permanent from transient errors of Kafka: %s', (_title, error, isFinal) => {
  expect(missingDependencyIn(error)).toMatchObject({ what: 'Kafka', isFinal });
});

it.each([
  ['a fault of our own', new TypeError('planted')],
  ['a data folder that is held', named('DataDirectoryHeld')],
  ['a missing file', named('Error', { code: 'ENOENT' })],
  ['a port that is taken', named('Error', { code: 'EADDRINUSE' })],
  ['a value', 'planted'],
])('sees none in %s', (_title, error) => {
  expect(missingDependencyIn(error)).toBeUndefined();
});
