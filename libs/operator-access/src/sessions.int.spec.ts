import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { sessionsContract } from './sessions.contract';

sessionsContract('MongoDB', mongodbDatabase('sessions'));
