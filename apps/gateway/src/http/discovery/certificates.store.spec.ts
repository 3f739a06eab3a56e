import { embeddedStorage } from '@opendsr-service/storage/testing';
import { certificatesContract } from './certificates.contract';

certificatesContract('the embedded store', embeddedStorage);
