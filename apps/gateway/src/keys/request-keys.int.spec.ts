import { randomUUID } from 'node:crypto';
import { openStorage } from '@opendsr-service/storage';
import { requestKeysContract } from './request-keys.contract';

const mongodbUri = process.env.DSR_TEST_MONGODB_URI ?? '';

requestKeysContract('MongoDB', () => openStorage({ mongodbUri, databasePrefix: `gw_${randomUUID().slice(0, 8)}_` }));
