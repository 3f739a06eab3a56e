import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { laneMeasuresContract } from './lanes.measures.contract';

laneMeasuresContract('the embedded store', embeddedDatabase('lane-measures'));
