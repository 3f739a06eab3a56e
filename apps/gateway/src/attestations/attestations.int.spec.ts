import { randomUUID } from 'node:crypto';
import { openStorage } from '@opendsr-service/storage';
import { attestationsContract } from './attestations.contract';

const mongodbUri = process.env.DSR_TEST_MONGODB_URI ?? '';

attestationsContract('MongoDB', () => openStorage({ mongodbUri, databasePrefix: `gw_${randomUUID().slice(0, 8)}_` }));
