import { describeInFull, mongodbStorage } from '@opendsr-service/storage/testing';
import { transparencyLogContract } from './transparency-log.contract';

// The five processes of the e2e suite attest on MongoDB in each run.
describeInFull('on servers', () => transparencyLogContract('MongoDB', mongodbStorage));
