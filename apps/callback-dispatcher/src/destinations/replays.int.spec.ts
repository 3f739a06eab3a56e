import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { replaysContract } from './replays.contract';

replaysContract('MongoDB', mongodbDatabase('replays'));
