import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { callbacksStoreContract } from './ledger.store.contract';

callbacksStoreContract('the embedded store', () => embeddedDatabase('gateway'));
