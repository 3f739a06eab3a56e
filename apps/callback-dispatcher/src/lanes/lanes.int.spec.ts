import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { lanesContract } from './lanes.contract';

lanesContract('MongoDB', mongodbDatabase('lanes'));
