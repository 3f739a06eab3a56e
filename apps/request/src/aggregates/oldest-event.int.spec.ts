import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { oldestEventContract } from './oldest-event.contract';

oldestEventContract('MongoDB', mongodbDatabase('measures'));
