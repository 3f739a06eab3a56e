import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { requestMeasuresContract } from './admission-measures.contract';

requestMeasuresContract('the embedded store', embeddedDatabase('gateway'));
