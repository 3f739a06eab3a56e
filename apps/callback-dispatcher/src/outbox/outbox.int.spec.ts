import { describeInFull, mongodbDatabase } from '@opendsr-service/storage/testing';
import { outboxContract } from './outbox.contract';

describeInFull('on servers', () => outboxContract('MongoDB', mongodbDatabase('outbox')));
