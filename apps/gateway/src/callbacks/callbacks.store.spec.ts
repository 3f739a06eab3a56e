import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { callbacksStoreContract } from './callbacks.store.contract';

callbacksStoreContract('the embedded store', () => embeddedDatabase('gateway'));
