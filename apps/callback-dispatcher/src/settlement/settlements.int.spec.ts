import { randomUUID } from 'node:crypto';
import { openStorage } from '@opendsr-service/storage';
import { settlementsContract } from './settlements.contract';

const mongodbUri = process.env.DSR_TEST_MONGODB_URI ?? '';

settlementsContract('MongoDB', () => openStorage({ mongodbUri, databasePrefix: `settlements_${randomUUID().slice(0, 8)}_` }));
