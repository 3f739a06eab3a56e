import { mongodbDatabase } from '@opendsr-service/storage/testing';
import { callbacksStoreContract } from './callbacks.store.contract';

callbacksStoreContract('MongoDB', () => mongodbDatabase('ledger'));
