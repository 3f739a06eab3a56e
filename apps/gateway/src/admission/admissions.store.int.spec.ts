import { mongodbStorage } from '@opendsr-service/storage/testing';
import { requestsStoreContract } from './admissions.store.contract';

requestsStoreContract('MongoDB', mongodbStorage);
