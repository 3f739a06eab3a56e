import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { lanesContract } from './lanes.contract';

lanesContract('the embedded store', embeddedDatabase('lanes'));
