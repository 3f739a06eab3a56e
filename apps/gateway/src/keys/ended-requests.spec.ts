import { embeddedStorage } from '@opendsr-service/storage/testing';
import { endedRequestsContract } from './ended-requests.contract';

endedRequestsContract('the embedded store', embeddedStorage);
