import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { changesContract } from './changes.contract';

changesContract('the embedded store', embeddedDatabase('gateway'));
