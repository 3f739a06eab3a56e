import { mongodbStorage } from '@opendsr-service/storage/testing';
import { attestationsContract } from './attestations.contract';

attestationsContract('MongoDB', mongodbStorage);
