import { mongodbStorage } from '@opendsr-service/storage/testing';
import { certificatesContract } from './certificates.contract';

certificatesContract('MongoDB', mongodbStorage);
