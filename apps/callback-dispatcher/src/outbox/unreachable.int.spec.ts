import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { unreachableContract } from './unreachable.contract';

unreachableContract('MongoDB', mongodbDatabase('unreachable'));
