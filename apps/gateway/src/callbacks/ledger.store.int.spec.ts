import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { callbacksStoreContract } from './ledger.store.contract';

callbacksStoreContract('MongoDB', () => mongodbDatabase('ledger'));
