import { randomUUID } from 'node:crypto';
import { openStorage } from '@opendsr-service/storage';
import { describeInFull } from '@opendsr-service/storage/testing';
import { endedRequestsContract } from './ended-requests.contract';

const mongodbUri = process.env.DSR_TEST_MONGODB_URI ?? '';

describeInFull('on servers', () =>
  endedRequestsContract('MongoDB', () =>
    openStorage({ mongodbUri, databasePrefix: `gw_${randomUUID().slice(0, 8)}_` }),
  ),
);
