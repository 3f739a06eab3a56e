import { describeInFull, mongodbStorage } from '@opendsr-service/storage/testing';
import { witnessingContract } from './witnessing.contract';

describeInFull('on servers', () => witnessingContract('MongoDB', mongodbStorage));
