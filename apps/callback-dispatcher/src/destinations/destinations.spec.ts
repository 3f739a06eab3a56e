import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { destinationsContract } from './destinations.contract';

destinationsContract('the embedded store', embeddedDatabase('destinations'));
