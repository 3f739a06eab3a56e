import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { tellingContract } from './telling.contract';

tellingContract('the embedded store', embeddedDatabase('telling'));
