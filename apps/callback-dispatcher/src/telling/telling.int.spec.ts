import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { tellingContract } from './telling.contract';

tellingContract('MongoDB', mongodbDatabase('telling'));
