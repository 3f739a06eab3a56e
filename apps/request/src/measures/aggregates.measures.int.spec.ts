import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { aggregateMeasuresContract } from './aggregates.measures.contract';

aggregateMeasuresContract('MongoDB', mongodbDatabase('measures'));
