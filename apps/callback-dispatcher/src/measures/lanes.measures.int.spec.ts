import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { laneMeasuresContract } from './lanes.measures.contract';

laneMeasuresContract('MongoDB', mongodbDatabase('lane-measures'));
