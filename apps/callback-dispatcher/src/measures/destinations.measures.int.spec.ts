import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { destinationMeasuresContract } from './destinations.measures.contract';

destinationMeasuresContract('MongoDB', mongodbDatabase('delivery-measures'));
