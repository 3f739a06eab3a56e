import { mongodbStorage } from '@opendsr-service/storage/testing';
import { requestKeysContract } from './request-keys.contract';

requestKeysContract('MongoDB', mongodbStorage);
