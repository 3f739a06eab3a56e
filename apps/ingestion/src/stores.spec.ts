import { erasureContract } from './erasure/erasure.contract';
import { subjectsContract } from './identities/subjects.store.contract';
import { dataContract } from './profiles/batches.consumer.contract';

describe('on the embedded store', () => {
  describe('erasures', () => erasureContract());
  describe('identities', () => subjectsContract());
  describe('data', () => dataContract());
});
