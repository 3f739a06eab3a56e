import { randomUUID } from 'node:crypto';
import { openStorage } from '@opendsr-service/storage';
import { transparencyLogContract } from './transparency-log.contract';

const mongodbUri = process.env.DSR_TEST_MONGODB_URI ?? '';

transparencyLogContract('MongoDB', () =>
  openStorage({ mongodbUri, databasePrefix: `gw_${randomUUID().slice(0, 8)}_` }),
);
