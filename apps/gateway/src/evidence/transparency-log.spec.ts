import { embeddedStorage } from '@opendsr-service/storage/testing';
import { transparencyLogContract } from './transparency-log.contract';

transparencyLogContract('the embedded store', embeddedStorage);
