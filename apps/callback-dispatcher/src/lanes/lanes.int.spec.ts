import { randomUUID } from 'node:crypto';
import { openStorage } from '@opendsr-service/storage';
import { lanesContract } from './lanes.contract';

const mongodbUri = process.env.DSR_TEST_MONGODB_URI ?? '';

lanesContract('MongoDB', () => openStorage({ mongodbUri, databasePrefix: `callbacks_${randomUUID().slice(0, 8)}_` }));
