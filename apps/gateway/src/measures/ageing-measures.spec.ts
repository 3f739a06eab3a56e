import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { ageingMeasuresContract } from './ageing-measures.contract';

ageingMeasuresContract('the embedded store', embeddedDatabase('gateway'));
