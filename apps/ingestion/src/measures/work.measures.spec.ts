import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { workMeasuresContract } from './work.measures.contract';

workMeasuresContract('the embedded store', embeddedDatabase('ingestion'));
