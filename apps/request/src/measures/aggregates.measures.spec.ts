import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { aggregateMeasuresContract } from './aggregates.measures.contract';

aggregateMeasuresContract('the embedded store', embeddedDatabase('request'));
