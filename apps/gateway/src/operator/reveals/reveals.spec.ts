import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { revealsContract } from './reveals.contract';

revealsContract('the embedded store', embeddedDatabase('gateway'));
