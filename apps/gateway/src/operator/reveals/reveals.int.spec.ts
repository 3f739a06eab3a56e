import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { revealsContract } from './reveals.contract';

revealsContract('MongoDB', mongodbDatabase('reveals'));
