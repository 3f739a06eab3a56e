import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { destinationsContract } from './destinations.contract';

destinationsContract('MongoDB', mongodbDatabase('destinations'));
