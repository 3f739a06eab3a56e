import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { changesContract } from './changes.contract';

changesContract('MongoDB', mongodbDatabase('changes'));
