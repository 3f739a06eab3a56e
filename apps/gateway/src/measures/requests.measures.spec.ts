import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { requestMeasuresContract } from './requests.measures.contract';

requestMeasuresContract('the embedded store', embeddedDatabase('gateway'));
