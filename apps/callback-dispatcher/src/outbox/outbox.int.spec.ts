import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { outboxContract } from './outbox.contract';

outboxContract('MongoDB', mongodbDatabase('outbox'));
