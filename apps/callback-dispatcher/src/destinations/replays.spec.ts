import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { replaysContract } from './replays.contract';

replaysContract('the embedded store', embeddedDatabase('replays'));
