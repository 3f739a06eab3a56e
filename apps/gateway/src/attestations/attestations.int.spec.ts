import { randomUUID } from 'node:crypto';
import { openStorage } from '@opendsr-service/storage';
import { describeInFull } from '@opendsr-service/storage/testing';
import { attestationsContract } from './attestations.contract';

const mongodbUri = process.env.DSR_TEST_MONGODB_URI ?? '';

// The five processes of the e2e suite attest on MongoDB in each run.
describeInFull('on servers', () =>
  attestationsContract('MongoDB', () => openStorage({ mongodbUri, databasePrefix: `gw_${randomUUID().slice(0, 8)}_` })),
);
