import { embeddedStorage } from '@opendsr-service/storage/testing';
import { witnessingContract } from './witnessing.contract';

witnessingContract('the embedded store', embeddedStorage);
