import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { outboxContract } from './outbox.contract';

outboxContract('the embedded store', embeddedDatabase('outbox'));
