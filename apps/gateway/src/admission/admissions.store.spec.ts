import { embeddedStorage } from '@opendsr-service/storage/testing';
import { requestsStoreContract } from './admissions.store.contract';

requestsStoreContract('the embedded store', embeddedStorage);
