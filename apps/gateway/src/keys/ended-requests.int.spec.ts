import { describeInFull, mongodbStorage } from '@opendsr-service/storage/testing';
import { endedRequestsContract } from './ended-requests.contract';

describeInFull('on servers', () => endedRequestsContract('MongoDB', mongodbStorage));
