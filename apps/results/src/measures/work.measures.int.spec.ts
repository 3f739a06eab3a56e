import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { workMeasuresContract } from './work.measures.contract';

workMeasuresContract('MongoDB', mongodbDatabase('results-measures'));
