import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { deadlinesContract } from './deadlines.contract';

deadlinesContract('the embedded store', embeddedDatabase('gateway'));
