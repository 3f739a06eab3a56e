import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { sessionsContract } from './sessions.contract';

sessionsContract('the embedded store', embeddedDatabase('sessions'));
