import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { oldestEventContract } from './oldest-event.contract';

oldestEventContract('the embedded store', embeddedDatabase('request'));
