import { embeddedStorage } from '@opendsr-service/storage/testing';
import { requestKeysContract } from './request-keys.contract';

requestKeysContract('the embedded store', embeddedStorage);
